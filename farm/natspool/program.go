package natspool

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"kroo/farm/launch"
	"kroo/internal/oneline"
	"kroo/internal/vfs"
)

// serverName is the program of the server.
const serverName = "kroo-farm"

// serverEnds is how long the server has to end.
const serverEnds = 10 * time.Second

// program is the server of a coordinator, in a process of its own.
type program struct {
	cmd     *exec.Cmd
	in      io.Closer    // the server ends with it
	says    bytes.Buffer // read once it has ended
	address string
	ended   chan struct{}

	certificate *tls.Certificate // nil for no TLS
	err         error            // of its end
}

// serverCommand finds the program: beside this one, on the path, or in the source where the
// command was given, from which Go builds it.
func serverCommand() (command []string, err error) {
	name := serverName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	folder := "that of this program"
	if here, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(here); err == nil {
			here = real
		}
		folder = filepath.Dir(here)
		beside := filepath.Join(folder, name)
		if info, err := vfs.Stat(beside); err == nil && info.Mode().IsRegular() {
			return []string{beside}, nil
		}
	}
	if path, err := exec.LookPath(serverName); err == nil {
		return []string{path}, nil
	}
	const source = "kroo/cmd/" + serverName
	if exec.Command("go", "list", source).Run() == nil {
		return []string{"go", "run", source}, nil
	}
	return nil, fmt.Errorf("the server of a farm, %s, is not in the folder %s: archives of releases have it beside this program; in a clone of the source `go build -o %s ./cmd/%s` builds it; or name a NATS server in the place of %s", name, folder, folder, serverName, Embedded)
}

// startServer starts the program and waits until it serves.
func startServer(ctx context.Context, c Config) (*program, error) {
	who, err := readCredentials(c.Credentials)
	if err != nil {
		return nil, err
	}
	own, err := c.certificate()
	if err != nil {
		return nil, err
	}
	wanted := launch.Server{Listen: c.listen(), Token: who.token, Cert: c.Cert, CertKey: c.Key, MaxMessage: maxMessage}
	if who.key != nil {
		if wanted.Key, err = who.key.PublicKey(); err != nil {
			return nil, err
		}
	}
	command, err := serverCommand()
	if err != nil {
		return nil, err
	}
	if len(command) > 1 {
		c.notice("farm: Go builds the server, which takes half a minute the first time")
	}
	p := &program{cmd: exec.Command(command[0], command[1:]...), certificate: own, ended: make(chan struct{})}
	p.cmd.Stderr = &p.says
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server: %w", err)
	}
	p.in = in
	answer := make(chan []byte, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadBytes('\n') // what there is of it tells
		answer <- line
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	if err := json.NewEncoder(in).Encode(wanted); err != nil {
		err = errors.Join(err, p.stop())
		return nil, fmt.Errorf("the server %s: %w%s", command[0], err, p.said())
	}
	var served launch.Served
	select {
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), p.stop())
	case line := <-answer:
		if err := json.Unmarshal(line, &served); err != nil {
			err = errors.Join(err, p.stop())
			return nil, fmt.Errorf("the server %s does not start: %w%s", command[0], err, p.said())
		}
	}
	if served.Error != "" {
		return nil, errors.Join(errors.New(served.Error), p.stop())
	}
	p.address = served.Address
	return p, nil
}

// url is where workers find the server: by a name that is in its certificate, or an address of
// this machine that others can use if it listens at all.
func (p *program) url() string {
	host, port, err := net.SplitHostPort(p.address)
	if ip := net.ParseIP(host); err != nil || ip.IsLoopback() {
		return p.at(p.address)
	}
	if p.certificate != nil && p.certificate.Leaf != nil && len(p.certificate.Leaf.DNSNames) > 0 {
		return p.at(net.JoinHostPort(p.certificate.Leaf.DNSNames[0], port))
	}
	if ip := net.ParseIP(host); ip.IsUnspecified() {
		host = outward()
	}
	return p.at(net.JoinHostPort(host, port))
}

// here is the server's address for the coordinator, which is on the same machine.
func (p *program) here() string {
	host, port, err := net.SplitHostPort(p.address)
	if ip := net.ParseIP(host); err != nil || !ip.IsUnspecified() {
		return p.at(p.address)
	}
	return p.at(net.JoinHostPort("127.0.0.1", port))
}

func (p *program) at(address string) string {
	if p.certificate != nil {
		return "tls://" + address
	}
	return "nats://" + address
}

// outward is an address of this machine on a network, or else its name.
func outward() string {
	list, _ := net.InterfaceAddrs() // none: the name is left
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	name, _ := os.Hostname()
	return cmp.Or(name, "127.0.0.1")
}

// stop ends the server.
func (p *program) stop() error {
	_ = p.in.Close() // it may have ended
	select {
	case <-p.ended:
	case <-time.After(serverEnds):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	return p.err
}

// trusting is TLS with the server of this very certificate, whatever names it has.
func trusting(own *tls.Certificate) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // for VerifyConnection, which asks for more
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || !bytes.Equal(s.PeerCertificates[0].Raw, own.Certificate[0]) {
				return errors.New("another server is there: its certificate is not ours")
			}
			return nil
		},
	}
}

// said is what a server that has ended has said, to add to an error.
func (p *program) said() string {
	if text := oneline.Short(strings.TrimSpace(p.says.String())); text != "" {
		return ": " + text
	}
	return ""
}
