package natspool

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"kroo/farm"
	"kroo/internal/testkit"
)

func seed(t *testing.T) []byte {
	t.Helper()
	pair := testkit.Must(nkeys.CreateUser())(t)
	s := testkit.Must(pair.Seed())(t)
	return s
}

// certificate makes a certificate of this machine that signs itself.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private := testkit.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "farm"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der := testkit.Must(x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private))(t)
	raw := testkit.Must(x509.MarshalECPrivateKey(private))(t)
	return testkit.File(t, "cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		testkit.File(t, "key.pem", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}))
}

// With a token, an NKey, and TLS, workers with the same do tasks, and others are
// refused.
func TestCredentialsAndTLSKeepOthersOut(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	for name, c := range map[string]struct {
		config  Config
		another []byte // credentials of somebody else
	}{
		"token":        {Config{Credentials: testkit.File(t, "token", "a-token-of-this-farm\n")}, []byte("a-token-of-some-other-farm")},
		"nkey":         {Config{Credentials: testkit.File(t, "seed", seed(t))}, seed(t)},
		"tls, token":   {Config{Credentials: testkit.File(t, "token", "a-token-of-this-farm"), Cert: cert, Key: key}, []byte("a-token-of-some-other-farm")},
		"all machines": {Config{Credentials: testkit.File(t, "token", "a-token-of-this-farm"), Listen: "0.0.0.0:0"}, []byte("a-token-of-some-other-farm")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, c.config)
			address := n.address()
			if strings.Contains(address, "0.0.0.0") || strings.Contains(address, "[::]") {
				t.Errorf("workers are to join at %s: want an address that others can use", address)
			}
			trusted := func(w *WorkerConfig) { w.URL, w.CA = address, c.config.Cert }
			join(t, n, upper, trusted)
			s := open(t, n, farm.Work{})
			do(t, s, 20)

			address = strings.Replace(n.server.at(n.server.address), "[::]", "127.0.0.1", 1)
			for _, credentials := range []string{"", testkit.File(t, "another", c.another)} {
				_, err := Work(t.Context(), WorkerConfig{Config: Config{URL: address, Credentials: credentials, CA: c.config.Cert}, Engine: someEngine})
				testkit.ErrorContains(t, err, "refuses this worker")
			}
			if c.config.Cert != "" {
				_, err := Work(t.Context(), WorkerConfig{Config: Config{URL: address, Credentials: c.config.Credentials}, Engine: someEngine})
				testkit.ErrorContains(t, err, "certificate")
				if conn, err := nats.Connect(strings.Replace(address, "tls:", "nats:", 1), nats.Token("a-token-of-this-farm")); err == nil {
					conn.Close()
					t.Error("a connection without TLS was taken")
				}
			}
		})
	}
}

// An invalid file of certificates is refused at once, before connecting to the server.
func TestInvalidCertificatesAreRejected(t *testing.T) {
	t.Parallel()
	for want, path := range map[string]string{
		"expected PEM":          testkit.File(t, "ca", "no certificate"),
		"certificates to trust": filepath.Join(t.TempDir(), "none"),
		"trust: ":               t.TempDir(),
		"not a regular file":    os.DevNull,
	} {
		_, err := Dial(t.Context(), Config{URL: "tls://127.0.0.1:1", CA: path})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "no server") {
			t.Errorf("%s: error %v: want %q", path, err, want)
		}
	}
}

func TestInvalidCredentialsAreRejected(t *testing.T) {
	for want, content := range map[string]string{
		"at least 16 characters": "short",
		"a token of at":          "two words that are long enough",
		"small text file":        strings.Repeat("x", maxCredentials+1),
	} {
		_, err := readCredentials(testkit.File(t, "c", content))
		testkit.ErrorContains(t, err, want)
	}
	if _, err := readCredentials(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("credentials that are not there were read")
	}
	text := testkit.File(t, "text", "no certificate")
	for want, c := range map[string]Config{
		"no such file":                           {Cert: filepath.Join(t.TempDir(), "none"), Key: text},
		"certificate and its key: " + os.DevNull: {Cert: os.DevNull, Key: text}, // a device is not waited for
		"not a regular file":                     {Cert: text, Key: os.DevNull},
		text + " and its key":                    {Cert: text, Key: text},
	} {
		_, err := c.certificate()
		testkit.ErrorContains(t, err, want)
	}
}

func TestAnAddressInUseIsRefused(t *testing.T) {
	n, _ := dial(t, Config{})
	_, err := Dial(t.Context(), Config{URL: Embedded, Listen: strings.TrimPrefix(n.address(), "nats://")})
	testkit.ErrorContains(t, err, "already in use: choose another address")
	_, err = Dial(t.Context(), Config{URL: "nats://127.0.0.1:1"})
	testkit.ErrorContains(t, err, "no server at")
}

// The configuration in the manual is one, and its paths are relative to its folder.
func TestTheManualsConfigurationIsRead(t *testing.T) {
	const folder = "../../docs/tasks/farm"
	c, err := ReadConfig(folder + "/farm.toml")
	if err != nil || c.Credentials != folder+"/token.txt" || c.Cert != folder+"/cert.pem" || c.Listen != "0.0.0.0:4222" {
		t.Errorf("%+v, %v", c, err)
	}
	c.URL = Embedded
	testkit.NoError(t, c.Check())
	for text, want := range map[string]string{`deadline = "10m"`: "", `deadline = "-1s"`: "expected a time such as 200ms", `token = "x"`: "expected credentials, ca", `ca = 1`: "ca is 1: expected a text"} {
		if _, err := ReadConfig(testkit.File(t, "farm.toml", text)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v: want %q in it", text, err, want)
		}
	}
}

// A coordinator whose server is killed ends with an error, and removes the server's storage.
func TestACallEndsWithItsServer(t *testing.T) {
	t.Parallel()
	n := testkit.Must(Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"}))(t)
	s := open(t, n, farm.Work{})
	testkit.NoError(t, n.server.cmd.Process.Kill())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	const want = "the server kroo-farm ended: start again"
	if err := s.do(ctx, tasks(1, anything)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want %q in it", err, want)
	}
	_ = testkit.Must(os.Stat(n.server.folder))(t)
	if err := n.Close(); err == nil {
		t.Error("the network closes as if its server had ended well")
	}
	if _, err := os.Stat(n.server.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the server: %v: want none", err)
	}
}

// A server ends with the program that has started it, however that ends, and leaves nothing.
func TestAServerEndsWithItsProgram(t *testing.T) {
	t.Parallel()
	p := testkit.Must(startServer(t.Context(), Config{Listen: "127.0.0.1:0"}))(t)
	testkit.NoError(t, p.in.Close()) // as the system does for a program that is killed
	<-p.ended
	if _, err := os.Stat(p.folder); p.err != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the server ends with %v, its folder: %v: want none", p.err, err)
	}
}

// Without the server's program, a toolchain or the source the error names what to do.
func TestMissingServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"})
	testkit.ErrorContains(t, err, "in a clone of the source `go build -o ")
}
