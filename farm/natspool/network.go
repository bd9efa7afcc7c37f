package natspool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
)

// Names of what there is on the server.
const (
	jobsStream  = "KROO_JOBS"
	filesBucket = "kroo-files"

	jobsSubject    = "kroo.jobs."    // SIGNATURE.FLOODS.SESSION
	answersSubject = "kroo.answer."  // SESSION: a request of a worker, which the coordinator answers
	takenSubject   = "kroo.taken."   // SESSION: from workers
	sessionSubject = "kroo.session." // SESSION: likewise
	closedSubject  = "kroo.closed."  // SESSION: from the coordinator
	openSubject    = "kroo.open"     // sessions, as coordinators tell now and then
	beatSubject    = "kroo.beat"     // workers, likewise
	statusSubject  = "kroo.status"   // a request, which all answer
	awaySubject    = "kroo.away."    // WORKER: it is sent away
)

// Bounds of what the server keeps.
const (
	streamBytes = 128 << 20
	mostBatches = 1 << 14 // of a session
	streamAge   = 24 * time.Hour
	filesAge    = 14 * 24 * time.Hour
)

// Times of the protocol.
const (
	ackWait      = 3 * time.Second         // after which the server gives a batch to another worker
	beatEvery    = time.Second             // of workers, and of sessions
	goneAfter    = 10 * time.Second        // without a beat
	lostAfter    = 5 * time.Second         // a batch that nobody has
	sessionAfter = time.Minute             // without a word of it, a session is over
	lastBatches  = 700 * time.Millisecond  // after which a worker that leaves gives its batches up to others
	lastAnswers  = 1200 * time.Millisecond // after which it no longer waits for the server to have its answers
	lastWords    = 200 * time.Millisecond  // that the server has for its goodbye: it must end within two seconds
	retryEvery   = 300 * time.Millisecond  // what failed for now
	lookEvery    = 2 * time.Second         // whether the server has what the farm needs
	idleConsumer = 24 * time.Hour
)

// Network is a connection of a coordinator to a server. It is safe for concurrent use.
type Network struct {
	config Config
	server *program // nil for one elsewhere
	conn   *nats.Conn
	js     jetstream.JetStream

	severed chan struct{} // closed if the connection does not come back
	why     error         // then
	living  context.Context
	end     context.CancelFunc // by Close
	ended   sync.WaitGroup

	restoring sync.Mutex
	made      time.Time // of the stream of batches, whose server may have lost it

	mu       sync.Mutex
	sessions map[string]*session
	workers  map[string]*worker
	waiting  map[string]bool // engines: a person was told that there are no workers of it
}

var _ farm.Network = (*Network)(nil)

// Dial connects a coordinator with a server, and starts it if it is to be inside.
func Dial(ctx context.Context, c Config) (*Network, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.teller = &teller{to: c.Notice}
	n := &Network{config: c, severed: make(chan struct{}), sessions: map[string]*session{}, workers: map[string]*worker{}, waiting: map[string]bool{}}
	n.living, n.end = context.WithCancel(context.Background())
	if err := n.dial(ctx); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	if n.server != nil {
		c.notice("farm: workers join with: train worker --farm %s", n.address())
	}
	return n, nil
}

func (n *Network) dial(ctx context.Context) error {
	c := n.config
	options, err := c.options()
	if err != nil {
		return err
	}
	url := c.URL
	if c.URL == Embedded {
		if n.server, err = startServer(ctx, c); err != nil {
			return err
		}
		url = n.server.here(c.Cert != "")
		own, err := c.certificate()
		if err != nil {
			return err
		}
		if own != nil {
			options = append(options, nats.Secure(trusting(own)))
		}
		n.ended.Go(n.guard)
	}
	options = append(options, nats.ReconnectHandler(func(*nats.Conn) { go n.restore("the server is back") }),
		nats.DisconnectErrHandler(func(*nats.Conn, error) { n.lost() }),
		nats.ClosedHandler(func(c *nats.Conn) { n.sever(c.LastError()) }))
	if n.conn, err = nats.Connect(url, options...); err != nil {
		return fmt.Errorf("no server at %s: %w: start one, or take %s", redacted(c.URL), err, Embedded)
	}
	if n.js, err = jetstream.New(n.conn); err != nil {
		return err
	}
	n.restoring.Lock()
	defer n.restoring.Unlock()
	if n.made, err = n.ensure(ctx); err != nil {
		return err
	}
	n.ended.Go(n.watch)
	return n.listen()
}

// ensure makes the stream of batches and the object store, if they are not there. It tells
// when the stream was made.
func (n *Network) ensure(ctx context.Context) (made time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	st, err := n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: jobsStream, Subjects: []string{jobsSubject + ">"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
		MaxBytes: streamBytes, MaxMsgSize: maxMessage, MaxAge: streamAge, MaxMsgsPerSubject: mostBatches, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, Duplicates: 2 * time.Minute,
	})
	if err != nil {
		return made, fmt.Errorf("the server has no JetStream, or not enough room for the stream %s: %w", jobsStream, err)
	}
	_, err = n.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: filesAge, Storage: jetstream.FileStorage})
	if err != nil {
		return made, fmt.Errorf("the server's object store: %w", err)
	}
	return st.CachedInfo().Created, nil
}

// watch looks after what the farm has at the server, until the network is closed: somebody
// may delete it.
func (n *Network) watch() {
	for {
		select {
		case <-n.living.Done():
			return
		case <-time.After(lookEvery):
		}
		n.look()
	}
}

// look puts back what is gone from the server, and removes there what nobody waits for.
func (n *Network) look() {
	ctx, cancel := context.WithTimeout(n.living, 5*time.Second)
	defer cancel()
	if what := n.gone(ctx); what != "" {
		n.config.notice("farm: %s is gone from the server: it is made again", what)
		n.restore("what was gone is made again")
		return
	}
	if err := n.makeRoom(ctx); err != nil && n.conn.IsConnected() && n.living.Err() == nil {
		n.config.notice("farm: the server does not tell what it has: %v: trying again", err)
	}
}

// gone names what the server does not have any more, "" if it has all, or does not say.
func (n *Network) gone(ctx context.Context) string {
	n.restoring.Lock()
	made := n.made
	n.restoring.Unlock()
	st, err := n.js.Stream(ctx, jobsStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) || err == nil && !st.CachedInfo().Created.Equal(made) {
		return "the stream " + jobsStream
	}
	store, err := n.js.ObjectStore(ctx, filesBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return "the object store " + filesBucket
	}
	if err != nil {
		return ""
	}
	for _, s := range n.open() {
		for _, f := range s.work.Files {
			if _, err := store.GetInfo(ctx, f.Hash); errors.Is(err, jetstream.ErrObjectNotFound) {
				return "the file " + f.Path
			}
		}
	}
	return ""
}

// makeRoom removes, where the stream of batches is half full, or has more than a farm sends,
// those that no coordinator asks for: one was killed, or somebody sends what nobody wants. It
// would wait before what is wanted, and hide what is lost.
func (n *Network) makeRoom(ctx context.Context) error {
	st, err := n.js.Stream(ctx, jobsStream)
	if err != nil {
		return err
	}
	if has := st.CachedInfo().State; has.Bytes < streamBytes/2 && has.Msgs < mostBatches/4 {
		return nil
	}
	info, err := st.Info(ctx, jetstream.WithSubjectFilter(jobsSubject+">"))
	if err != nil {
		return err
	}
	for subject, count := range info.State.Subjects {
		words := strings.Split(subject, ".")
		if slices.ContainsFunc(words, func(w string) bool { return !isToken(w) }) { // it could name others than itself
			continue
		}
		id := words[len(words)-1]
		n.mu.Lock()
		s := n.sessions[id]
		n.mu.Unlock()
		if s == nil {
			_, err = n.conn.RequestWithContext(ctx, sessionSubject+id, nil)
		}
		if s == nil && !errors.Is(err, nats.ErrNoResponders) || s != nil && !s.flooded(subject, count) {
			continue
		}
		if err := st.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
		n.config.notice("farm: removed %d batches from the server that no coordinator waits for", count)
	}
	return nil
}

// listen takes the messages of workers.
func (n *Network) listen() error {
	for subject, f := range map[string]nats.MsgHandler{beatSubject: n.beat, statusSubject: n.answerStatus} {
		if _, err := n.conn.Subscribe(subject, f); err != nil {
			return err
		}
	}
	return n.conn.Flush()
}

// guard ends all calls if the server ends that the coordinator has started.
func (n *Network) guard() {
	select {
	case <-n.living.Done():
	case <-n.server.ended:
		n.giveUp(fmt.Errorf("the server %s has ended%s: start again; what is finished is kept", serverName, n.server.says.text()))
	}
}

// lost tells that the server is away.
func (n *Network) lost() {
	if n.living.Err() == nil {
		n.config.notice("farm: the server is away; finished work is kept, and goes on when it is back")
	}
}

// sever ends all calls: the connection is closed for good, because the server does not
// take the credentials any more, for example.
func (n *Network) sever(err error) {
	if err == nil {
		err = nats.ErrConnectionClosed
	}
	n.giveUp(fmt.Errorf("the connection with the server at %s is closed for good: %w: start again with credentials that the server takes; what is finished is kept", redacted(n.config.URL), err))
}

// giveUp ends all calls, with the first reason.
func (n *Network) giveUp(why error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.living.Err() == nil && n.why == nil {
		n.why = why
		close(n.severed)
	}
}

// restore puts back what a server may have lost, and then says so. It tries again and
// again: whoever deletes something may be at more.
func (n *Network) restore(done string) {
	n.restoring.Lock()
	defer n.restoring.Unlock()
	for told := false; ; time.Sleep(retryEvery) {
		if n.living.Err() != nil || !n.conn.IsConnected() { // the next connection restores
			return
		}
		made, err := n.ensure(n.living)
		for _, s := range n.open() {
			if err == nil {
				err = s.restore(!made.Equal(n.made))
			}
		}
		if err == nil {
			n.made = made
			n.config.notice("farm: %s", done)
			return
		}
		if !told {
			n.config.notice("farm: what the farm needs cannot be put onto the server: %v: trying again", err)
			told = true
		}
	}
}

// open are the sessions.
func (n *Network) open() (list []*session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.sessions {
		list = append(list, s)
	}
	return list
}

// address is where workers find the server.
func (n *Network) address() string {
	if n.server != nil {
		return n.server.url(n.config.Cert != "")
	}
	return n.config.URL
}

// Close ends the sessions and the connection, and stops a server inside.
func (n *Network) Close() error {
	n.end()
	n.ended.Wait()
	for _, s := range n.open() {
		s.close()
	}
	if n.conn != nil {
		_ = n.conn.FlushTimeout(time.Second) // the last words; workers find out without them too
		n.conn.Close()
	}
	n.config.teller.end()
	if n.server != nil {
		return n.server.stop()
	}
	return nil
}
