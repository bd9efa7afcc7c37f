package natspool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/internal/atomicfile"
	"kroo/internal/checksum"
)

// maxFile bounds a file that a worker takes: endgame tables are the largest.
const maxFile = 32 << 30

// putFiles puts the files of a session onto the server that it does not have.
func (s *session) putFiles(ctx context.Context) error {
	if len(s.work.Files) == 0 {
		return nil
	}
	store, err := s.net.js.ObjectStore(ctx, filesBucket)
	if err != nil {
		return fmt.Errorf("farm: the server's object store: %w", err)
	}
	for _, f := range s.work.Files {
		info, err := store.GetInfo(ctx, f.Hash)
		if err == nil && info.Size == uint64(f.Size) {
			continue
		}
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return fmt.Errorf("farm: the server's object store: %w", err)
		}
		if err := putFile(ctx, store, f.Hash, f.Path); err != nil {
			return fmt.Errorf("farm: %s: cannot be put onto the server: %w", f.Path, err)
		}
	}
	return nil
}

func putFile(ctx context.Context, store jetstream.ObjectStore, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = store.Put(ctx, jetstream.ObjectMeta{Name: name}, f)
	return err
}

// cache keeps files by their hashes in a folder.
type cache struct{ dir string }

// isHash tells whether a name can be a SHA-256, and nothing else: it becomes the name
// of a file.
func isHash(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == sha256.Size && hex.EncodeToString(raw) == name
}

// get is the path of a file that a session needs, from the folder or from the server.
func (c cache) get(ctx context.Context, js jetstream.JetStream, f fileNote) (path string, err error) {
	if !isHash(f.Hash) || f.Size < 0 || f.Size > maxFile {
		return "", fmt.Errorf("farm: a file %.80q of %d bytes: expected a SHA-256 and at most %d bytes", f.Hash, f.Size, int64(maxFile))
	}
	path = filepath.Join(c.dir, f.Hash)
	if sum, err := checksum.File(path); err == nil && sum == f.Hash {
		return path, nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return "", fmt.Errorf("farm: the folder of files: %w", err)
	}
	store, err := js.ObjectStore(ctx, filesBucket)
	if err != nil {
		return "", errLater{fmt.Errorf("farm: the server's object store: %w", err)}
	}
	object, err := store.Get(ctx, f.Hash)
	if err != nil {
		return "", errLater{fmt.Errorf("farm: file %s is not on the server: %w", f.Hash, err)}
	}
	defer object.Close()
	sum := sha256.New()
	err = atomicfile.WriteFile(path, func(w io.Writer) error {
		n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(object, f.Size+1))
		if err != nil {
			return errLater{err}
		}
		if n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.Hash {
			return errLater{fmt.Errorf("farm: file %s came damaged: %d bytes of %d", f.Hash, n, f.Size)}
		}
		return nil
	})
	return path, err
}

// errLater is an error that may be none at the next try.
type errLater struct{ error }

func (e errLater) Unwrap() error { return e.error }
