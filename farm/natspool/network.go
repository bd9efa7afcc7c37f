package natspool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
)

// Names of what there is on the server.
const (
	jobsStream    = "KROO_JOBS"
	answersStream = "KROO_ANSWERS"
	filesBucket   = "kroo-files"

	jobsSubject    = "kroo.jobs."    // SIGNATURE.SESSION
	answersSubject = "kroo.answers." // SESSION
	takenSubject   = "kroo.taken."   // SESSION: core messages of workers
	sessionSubject = "kroo.session." // SESSION: a request, which the coordinator answers
	closedSubject  = "kroo.closed."  // SESSION: from the coordinator
	openSubject    = "kroo.open"     // sessions, as coordinators tell now and then
	beatSubject    = "kroo.beat"     // workers, likewise
	statusSubject  = "kroo.status"   // a request, which all answer
	awaySubject    = "kroo.away."    // WORKER: it is sent away
)

// Bounds of what the server keeps.
const (
	streamBytes = 128 << 20
	streamAge   = 24 * time.Hour
	filesAge    = 14 * 24 * time.Hour
)

// Times of the protocol.
const (
	ackWait      = 3 * time.Second        // after which the server gives a batch to another worker
	beatEvery    = time.Second            // of workers, and of sessions
	goneAfter    = 10 * time.Second       // without a beat
	lostAfter    = 5 * time.Second        // a batch that nobody has
	sessionAfter = time.Minute            // without a word of it, a session is over
	lastAnswers  = 10 * time.Second       // that a worker which leaves waits for the server to have its answers
	retryEvery   = 300 * time.Millisecond // what failed for now
	idleConsumer = 24 * time.Hour
)

// Network is a connection of a coordinator to a server. It is safe for concurrent use.
type Network struct {
	config Config
	server *embedded // nil for one elsewhere
	conn   *nats.Conn
	js     jetstream.JetStream

	severed chan struct{} // closed if the connection does not come back
	why     error         // then

	restoring sync.Mutex
	made      time.Time // of the stream of batches, whose server may have lost it

	mu       sync.Mutex
	sessions map[string]*session
	workers  map[string]*worker
	waiting  bool // a person was told that there are no workers
	closed   bool
}

var _ farm.Network = (*Network)(nil)

// Dial connects a coordinator with a server, and starts it if it is to be inside.
func Dial(ctx context.Context, c Config) (*Network, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	n := &Network{config: c, severed: make(chan struct{}), sessions: map[string]*session{}, workers: map[string]*worker{}}
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
		if n.server, err = startServer(c); err != nil {
			return err
		}
		url = n.server.url(false)
		options = append(options, nats.InProcessServer(n.server))
	}
	options = append(options, nats.ReconnectHandler(func(*nats.Conn) { go n.restore() }),
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
	return n.listen()
}

// ensure makes the streams and the object store, if they are not there. It tells when
// the stream of batches was made.
func (n *Network) ensure(ctx context.Context) (made time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for name, subject := range map[string]string{jobsStream: jobsSubject + ">", answersStream: answersSubject + ">"} {
		st, err := n.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
			MaxBytes: streamBytes, MaxMsgSize: maxMessage, MaxAge: streamAge, Discard: jetstream.DiscardNew, Duplicates: 2 * time.Minute,
		})
		if err != nil {
			return made, fmt.Errorf("the server has no JetStream, or not enough room for the stream %s: %w", name, err)
		}
		if name == jobsStream {
			made = st.CachedInfo().Created
		}
	}
	_, err = n.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: filesAge, Storage: jetstream.FileStorage})
	if err != nil {
		return made, fmt.Errorf("the server's object store: %w", err)
	}
	return made, nil
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

// lost tells that the server is away.
func (n *Network) lost() {
	n.mu.Lock()
	closed := n.closed
	n.mu.Unlock()
	if !closed {
		n.config.notice("farm: the server is away; finished work is kept, and goes on when it is back")
	}
}

// sever ends all calls: the connection is closed for good, because the server does not
// take the credentials any more, for example.
func (n *Network) sever(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return
	}
	if err == nil {
		err = nats.ErrConnectionClosed
	}
	n.why = fmt.Errorf("the connection with the server at %s is closed for good: %w: start again with credentials that the server takes; what is finished is kept", redacted(n.config.URL), err)
	close(n.severed)
}

// restore puts back what a server may have lost while the connection was down.
func (n *Network) restore() {
	n.restoring.Lock()
	defer n.restoring.Unlock()
	for {
		n.mu.Lock()
		closed := n.closed
		n.mu.Unlock()
		if closed || !n.conn.IsConnected() { // the next connection restores
			return
		}
		made, err := n.ensure(context.Background())
		for _, s := range n.open() {
			if err == nil {
				err = s.restore(!made.Equal(n.made))
			}
		}
		if err == nil {
			n.made = made
			n.config.notice("farm: the server is back")
			return
		}
		time.Sleep(retryEvery)
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
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	for _, s := range n.open() {
		s.close()
	}
	if n.conn != nil {
		_ = n.conn.FlushTimeout(time.Second) // the last words; workers find out without them too
		n.conn.Close()
	}
	if n.server != nil {
		return n.server.stop()
	}
	return nil
}
