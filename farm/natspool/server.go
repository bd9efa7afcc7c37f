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

	"kroo/internal/vfs"
	"kroo/internal/wording"
)

const serverName = "kroo-farm"

const serverEnds = 10 * time.Second

// program is the embedded server of a coordinator, a process of its own.
type program struct {
	cmd     *exec.Cmd
	in      io.Closer    // closing it ends the server
	output  bytes.Buffer // output, read after the end
	address string
	folder  string // of its storage
	ended   chan struct{}

	certificate *tls.Certificate // nil without TLS
	err         error            // exit error
}

// serverCommand finds the program: next to this one, on the PATH, or in the source tree at the
// working directory, from which Go builds it.
func serverCommand() (*exec.Cmd, error) {
	name := serverName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	here, err := os.Executable()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil, fmt.Errorf("the folder of this program: %w", err)
	}
	folder := filepath.Dir(here)
	beside := filepath.Join(folder, name)
	if info, err := vfs.Stat(beside); err == nil && info.Mode().IsRegular() {
		return exec.Command(beside), nil
	}
	if path, err := exec.LookPath(serverName); err == nil {
		return exec.Command(path), nil
	}
	const source = "kroo/cmd/" + serverName
	if exec.Command("go", "list", source).Run() == nil {
		return exec.Command("go", "run", source), nil
	}
	return nil, fmt.Errorf("the server of a farm, %s, is not in the folder %s: archives of releases have it next to this program; in a clone of the source `go build -o %s ./cmd/%s` builds it; or name a NATS server instead of %s", name, folder, folder, serverName, Embedded)
}

func (c Config) serverConfig() ([]byte, error) {
	who, err := readCredentials(c.Credentials)
	if err != nil {
		return nil, err
	}
	config := map[string]any{
		"listen": c.listen(), "server_name": "kroo", "ping_interval": "5s", "ping_max": 3,
		"jetstream": map[string]any{"max_memory_store": 1 << 30, "max_file_store": int64(64) << 30},
	}
	switch {
	case who.token != "":
		config["authorization"] = map[string]any{"token": who.token}
	case who.key != nil:
		public, err := who.key.PublicKey()
		if err != nil {
			return nil, err
		}
		config["authorization"] = map[string]any{"users": []any{map[string]any{"nkey": public}}}
	}
	if c.Cert != "" {
		config["tls"] = map[string]any{"cert_file": c.Cert, "key_file": c.Key, "timeout": 5}
	}
	var text bytes.Buffer
	line := json.NewEncoder(&text)
	line.SetEscapeHTML(false) // NATS does not support such escapes
	err = line.Encode(config)
	return text.Bytes(), err
}

func startServer(ctx context.Context, c Config) (*program, error) {
	own, err := c.certificate()
	if err != nil {
		return nil, err
	}
	config, err := c.serverConfig()
	if err != nil {
		return nil, err
	}
	cmd, err := serverCommand()
	if err != nil {
		return nil, err
	}
	if len(cmd.Args) > 1 {
		c.notice("farm: building the server with Go, half a minute the first time")
	}
	p := &program{cmd: cmd, certificate: own, ended: make(chan struct{})}
	cmd.Stderr = &p.output
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server: %w", err)
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n') // empty if it fails to start
		answer <- line
		p.err = cmd.Wait()
		close(p.ended)
	}()
	_, _ = in.Write(config) // on failure the server ends
	select {
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), p.stop())
	case line := <-answer:
		if address, folder, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			p.address = address
			p.folder = folder
			return p, nil
		}
	}
	_ = p.stop() // its output has the reason
	return nil, fmt.Errorf("the server %s does not start%s", serverName, p.outputText())
}

// url returns the workers' address of the server: a name in its certificate, or an address of this
// machine that others can reach if it listens on the network.
func (p *program) url() string {
	host, port, err := net.SplitHostPort(p.address)
	ip := net.ParseIP(host)
	switch {
	case err != nil || ip.IsLoopback():
		return p.at(p.address)
	case p.certificate != nil && p.certificate.Leaf != nil && len(p.certificate.Leaf.DNSNames) > 0:
		host = p.certificate.Leaf.DNSNames[0]
	case ip.IsUnspecified():
		host = outward()
	}
	return p.at(net.JoinHostPort(host, port))
}

func (p *program) at(address string) string {
	if p.certificate != nil {
		return "tls://" + address
	}
	return "nats://" + address
}

// outward returns an address of this machine on a network, or else its name.
func outward() string {
	list, _ := net.InterfaceAddrs() // on failure use the name
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	name, _ := os.Hostname()
	return cmp.Or(name, "127.0.0.1")
}

func (p *program) stop() error {
	_ = p.in.Close() // may have ended
	defer time.AfterFunc(serverEnds, func() { _ = p.cmd.Process.Kill() }).Stop()
	<-p.ended
	if p.err != nil && p.folder != "" {
		return errors.Join(p.err, os.RemoveAll(p.folder)) // in case it was killed
	}
	return p.err
}

// trustOnly returns TLS settings that accept only this certificate, whatever its names.
func trustOnly(own *tls.Certificate) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, // VerifyConnection is stricter
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || !bytes.Equal(s.PeerCertificates[0].Raw, own.Certificate[0]) {
				return errors.New("another server has that address: its certificate is not ours")
			}
			return nil
		},
	}
}

// outputText returns the output of a server that has ended, to append to an error.
func (p *program) outputText() string {
	if text := wording.Short(p.output.String()); text != "" {
		return ": " + text
	}
	return ""
}
