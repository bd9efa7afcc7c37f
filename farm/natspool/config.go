package natspool

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Embedded as [Config.URL] starts a server, which ends with this program.
const Embedded = "embedded"

// defaultListen is where an embedded server listens by default.
const defaultListen = "127.0.0.1:4222"

// Config configures the connection to a server, or an embedded one.
type Config struct {
	// URL is nats://HOST:PORT or tls://HOST:PORT, or [Embedded].
	URL string
	// Credentials is a file with a token or the seed of an NKey; "" means none, which is allowed on
	// loopback only. An embedded server requires the same from its clients.
	Credentials string `name:"credentials" help:"file with a token, or the seed of an NKey"`
	CA          string `name:"ca" help:"file of certificates to trust (default those of the system)"`

	Listen string `name:"listen" help:"HOST:PORT of an embedded server (default 127.0.0.1:4222)"`
	Cert   string `name:"cert" help:"certificate of an embedded server: workers then join at tls://"`
	Key    string `name:"key" help:"key of the certificate"`

	// Deadline, if above 0, overrides the deadline of tasks.
	Deadline spec.Duration `name:"deadline" help:"a search that takes longer goes to another worker (default by its limits)"`
	// Notice is called with messages for the user, concurrently; may be nil.
	Notice func(string)
}

// ReadConfig reads the settings of a farm from a file. Its paths are relative to its folder.
func ReadConfig(path string) (c Config, err error) {
	text, err := strict.ReadFile(path)
	if err == nil {
		err = spec.Decode(text, &c, "expected credentials, ca, listen, cert, key or deadline")
	}
	if err == nil && c.Deadline.Duration > 24*time.Hour {
		err = fmt.Errorf("deadline is %s: expected at most 24h", c.Deadline)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range []*string{&c.Credentials, &c.CA, &c.Cert, &c.Key} {
		if *name != "" && !filepath.IsAbs(*name) {
			*name = filepath.Join(filepath.Dir(path), *name)
		}
	}
	return c, nil
}

func (c Config) notice(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(wording.Short(fmt.Sprintf(format, args...)))
	}
}

// Check returns an error for settings that are invalid or would open the farm to everybody.
func (c Config) Check() error {
	if c.URL == Embedded {
		return c.checkServer()
	}
	u, err := url.Parse(c.URL)
	switch {
	case err == nil && u.User != nil:
		return errors.New("a URL with credentials in it shows them to every user of this machine: put them into a file")
	case err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "":
		return fmt.Errorf("the URL of a farm: %sexpected nats://HOST:PORT, tls://HOST:PORT or %s",
			wording.Suggest(c.URL, []string{Embedded}), Embedded)
	case !isLoopback(u.Hostname()) && c.Credentials == "":
		return fmt.Errorf("%s is on another machine: expected credentials in --farm-config", c.URL)
	}
	return nil
}

func (c Config) checkServer() error {
	host, _, err := net.SplitHostPort(c.listen())
	switch {
	case err != nil:
		return fmt.Errorf("listen at %s: expected HOST:PORT", c.listen())
	case !isLoopback(host) && c.Credentials == "":
		return fmt.Errorf("%s is open to other machines: expected credentials in --farm-config", c.listen())
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("TLS: expected both a certificate and its key")
	}
	return nil
}

func (c Config) listen() string {
	if c.Listen == "" {
		return defaultListen
	}
	return c.Listen
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

type credentials struct {
	token string
	key   nkeys.KeyPair
}

const (
	maxCredentials = 1 << 12
	minToken       = 16 // in characters
)

func readCredentials(path string) (c credentials, err error) {
	if path == "" {
		return c, nil
	}
	data, err := vfs.ReadStart(path, maxCredentials+1)
	if err == nil && len(data) > maxCredentials {
		err = fmt.Errorf("%s: expected a small text file", path)
	}
	if err != nil {
		return c, fmt.Errorf("credentials: %w", err)
	}
	text := strings.TrimSpace(string(data))
	if strings.HasPrefix(text, "SU") {
		c.key, err = nkeys.FromSeed([]byte(text))
		if err == nil {
			return c, nil
		}
	}
	if len(text) < minToken || strings.ContainsAny(text, " \t\r\n") {
		return c, fmt.Errorf("credentials: %s: expected a token of at least %d characters, or the seed of a user's "+
			"NKey", path, minToken)
	}
	c.token = text
	return c, nil
}

// options returns the options of a permanent connection, which reconnects forever.
func (c Config) options() ([]nats.Option, error) {
	who, err := readCredentials(c.Credentials)
	if err != nil {
		return nil, err
	}
	list := []nats.Option{
		nats.Name("kroo"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond,
			time.Second), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(3),
		nats.Timeout(5 * time.Second), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	switch {
	case who.token != "":
		list = append(list, nats.Token(who.token))
	case who.key != nil:
		public, err := who.key.PublicKey()
		if err != nil {
			return nil, fmt.Errorf("credentials: %s: %w", c.Credentials, err)
		}
		list = append(list, nats.Nkey(public, who.key.Sign))
	}
	if c.CA != "" {
		trust, err := c.trust()
		if err != nil {
			return nil, err
		}
		list = append(list, nats.Secure(trust))
	}
	return list, nil
}

// trust returns TLS settings that trust the certificates of CA. They are read here because the
// library would wait forever for a pipe, or for a server if the file contains no certificates.
func (c Config) trust() (*tls.Config, error) {
	text, err := vfs.ReadFile(c.CA)
	if err != nil {
		return nil, fmt.Errorf("certificates to trust: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("certificates to trust: none in %s: expected PEM", c.CA)
	}
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, nil
}

// certificate returns the certificate of an embedded server, which may be nil.
func (c Config) certificate() (*tls.Certificate, error) {
	if c.Cert == "" {
		return nil, nil
	}
	cert, err := vfs.ReadFile(c.Cert)
	key, err2 := vfs.ReadFile(c.Key)
	if err = errors.Join(err, err2); err != nil {
		return nil, fmt.Errorf("the server's certificate and its key: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("the server's certificate %s and its key %s: %w", c.Cert, c.Key, err)
	}
	return &pair, nil
}
