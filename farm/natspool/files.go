package natspool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/atomicfile"
	"kroo/internal/checksum"
	"kroo/internal/vfs"
)

// maxFile bounds a file that a worker takes: endgame tables are the largest.
const maxFile = 32 << 30

// putFiles puts the files of a session onto the server that it does not have.
func (s *session) putFiles(ctx context.Context) error {
	store := s.net.files
	for _, f := range s.work.Files {
		info, err := store.GetInfo(ctx, f.Hash)
		if err == nil && holds(info, f) {
			continue
		}
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return fmt.Errorf("the server's object store: %w", err)
		}
		if err := putFile(ctx, store, f); err != nil {
			return fmt.Errorf("%s: cannot be put onto the server: %w", f.Path, err)
		}
	}
	return nil
}

// holds tells whether an object has a file's content, as far as the server knows it.
func holds(o *jetstream.ObjectInfo, f farm.File) bool {
	sum, err := jetstream.DecodeObjectDigest(o.Digest)
	return err == nil && hex.EncodeToString(sum) == f.Hash && o.Size == uint64(f.Size)
}

func putFile(ctx context.Context, store jetstream.ObjectStore, f farm.File) error {
	from, err := vfs.Open(f.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	o, err := store.Put(ctx, jetstream.ObjectMeta{Name: f.Hash}, from)
	if err != nil {
		return err
	}
	if !holds(o, f) {
		return errors.Join(fmt.Errorf("it has changed meanwhile: expected %d bytes with the SHA-256 %s", f.Size, f.Hash), store.Delete(ctx, f.Hash))
	}
	return nil
}

// cache keeps files by their hashes in a folder.
type cache struct{ dir string }

// get is the path of a file that a session needs, from the folder or from the server.
func (c cache) get(ctx context.Context, store jetstream.ObjectStore, f fileNote) (path string, err error) {
	if !checksum.Is(f.Hash) || f.Size < 0 || f.Size > maxFile {
		return "", fmt.Errorf("a file %.80q of %d bytes: expected a SHA-256 and at most %d bytes", f.Hash, f.Size, int64(maxFile))
	}
	path = filepath.Join(c.dir, f.Hash)
	if sum, err := checksum.File(path); err == nil && sum == f.Hash {
		return path, nil
	}
	if err := vfs.MkdirAll(c.dir, 0o700); err != nil {
		return "", errHere{fmt.Errorf("the folder of files: %w", err)}
	}
	object, err := store.Get(ctx, f.Hash)
	if err != nil {
		return "", errLater{fmt.Errorf("file %s is not on the server: %w", f.Hash, err)}
	}
	defer object.Close()
	sum := sha256.New()
	var later errLater
	err = atomicfile.WriteFile(path, func(w io.Writer) error {
		n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(object, f.Size+1))
		if err != nil {
			return errLater{err}
		}
		if n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.Hash {
			return errLater{fmt.Errorf("file %s came damaged: %d bytes of %d", f.Hash, n, f.Size)}
		}
		return nil
	})
	if err != nil && !errors.As(err, &later) {
		err = errHere{err}
	}
	return path, err
}

// errLater is an error that may be none at the next try.
type errLater struct{ error }

func (e errLater) Unwrap() error { return e.error }

// errHere is an error of this machine, whatever the session.
type errHere struct{ error }

func (e errHere) Unwrap() error { return e.error }
