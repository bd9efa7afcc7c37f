package natspool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/atomicfile"
	"kroo/internal/checksum"
	"kroo/internal/vfs"
)

// maxFile is the maximum size of a file that a worker accepts; endgame tables are the largest.
const maxFile = 32 << 30

// cacheAge is how long after its download a worker keeps a file that no present session needs.
const cacheAge = filesAge

// keepFiles uploads files again that the server has lost, which may take minutes.
func (d *dispatcher) keepFiles() {
	for tick := time.NewTicker(renewEvery); ; {
		select {
		case <-d.ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			d.net.noticeOf(d.putFiles(d.ctx))
		}
	}
}

// putFiles uploads the files of a session that the server lacks.
func (d *dispatcher) putFiles(ctx context.Context) error {
	for _, f := range d.Files {
		info, err := d.net.files.GetInfo(ctx, f.Hash)
		if err == nil && holds(info, f) {
			continue
		}
		if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return fmt.Errorf("the server's object store: %w", err)
		}
		if err := d.putFile(ctx, f); err != nil {
			return fmt.Errorf("%s: cannot be copied to the server: %w", f.Path, err)
		}
	}
	return nil
}

// holds reports whether an object has a file's content, by the server's metadata.
func holds(o *jetstream.ObjectInfo, f farm.File) bool {
	sum, err := jetstream.DecodeObjectDigest(o.Digest)
	return err == nil && hex.EncodeToString(sum) == f.Hash && o.Size == uint64(f.Size)
}

func (d *dispatcher) putFile(ctx context.Context, f farm.File) error {
	from, err := vfs.Open(f.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	o, err := d.net.files.Put(ctx, jetstream.ObjectMeta{Name: f.Hash}, from)
	if err == nil && !holds(o, f) {
		err = errors.Join(fmt.Errorf("it has changed: expected %d bytes with the SHA-256 %s", f.Size, f.Hash),
			d.net.files.Delete(ctx, f.Hash))
	}
	return err
}

// errMissing is the error for a file that is not on the server yet.
var errMissing = errors.New("not on the server yet")

// getFile returns the path of a file that a session needs, from the cache folder or the server.
func (w *worker) getFile(ctx context.Context, f farm.File) (path string, err error) {
	if !checksum.Is(f.Hash) || f.Size < 0 || f.Size > maxFile {
		return "", fmt.Errorf("a file %.80q of %d bytes: expected a SHA-256 and at most %d bytes",
			f.Hash, f.Size, int64(maxFile))
	}
	path = filepath.Join(w.Cache, f.Hash)
	if sum, err := checksum.File(path); err == nil && sum == f.Hash {
		return path, nil
	}
	if err := vfs.MkdirAll(w.Cache, 0o700); err != nil {
		return "", err
	}
	object, err := w.files.Get(ctx, f.Hash)
	if err != nil {
		return "", fmt.Errorf("file %s: %w: %w", f.Hash, errMissing, err)
	}
	defer object.Close()
	w.pruneCache()
	return path, atomicfile.WriteFile(path, func(to io.Writer) error {
		sum := sha256.New()
		n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(object, f.Size+1))
		if err == nil && (n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.Hash) {
			err = fmt.Errorf("file %s arrived damaged, %d bytes of %d: %w", f.Hash, n, f.Size, errMissing)
		}
		return err
	})
}

// pruneCache removes files from the cache that are older than cacheAge, except those of present sessions. Another
// worker with the same cache may have such a file open: it keeps what it has open. The leftovers of interrupted
// downloads are removed, too.
func (w *worker) pruneCache() {
	_ = atomicfile.RemoveTemps(w.Cache) // on failure the next download tries again
	list, err := vfs.ReadDir(w.Cache)
	if err != nil {
		w.notice("farm: the cache: %v", err)
		return
	}
	w.mu.Lock() // no session begins meanwhile
	defer w.mu.Unlock()
	inUse := map[string]bool{} // by hash
	for _, e := range w.executors {
		for _, f := range e.session.Files {
			inUse[f.Hash] = true
		}
	}
	for _, entry := range list {
		if !checksum.Is(entry.Name()) || inUse[entry.Name()] {
			continue
		}
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > cacheAge {
			_ = vfs.Remove(filepath.Join(w.Cache, entry.Name())) // on failure the next download tries again
		}
	}
}
