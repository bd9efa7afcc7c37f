package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// call is a system call that works on files.
type call struct {
	name  string
	fd    int // register that holds a file descriptor, -1 for none
	path  int // register that holds a path, -1 for none
	errno syscall.Errno
}

// calls by number. Each fails in the way that is likeliest in life.
var calls = map[uint64]call{
	syscall.SYS_OPENAT:     {"openat", -1, 1, syscall.EMFILE},
	syscall.SYS_READ:       {"read", 0, -1, syscall.EIO},
	syscall.SYS_PREAD64:    {"pread", 0, -1, syscall.EIO},
	syscall.SYS_WRITE:      {"write", 0, -1, syscall.ENOSPC},
	syscall.SYS_PWRITE64:   {"pwrite", 0, -1, syscall.ENOSPC},
	syscall.SYS_FSYNC:      {"fsync", 0, -1, syscall.EIO},
	syscall.SYS_FTRUNCATE:  {"ftruncate", 0, -1, syscall.EIO},
	syscall.SYS_FSTAT:      {"fstat", 0, -1, syscall.EIO},
	syscall.SYS_FLOCK:      {"flock", 0, -1, syscall.ENOLCK},
	syscall.SYS_FCHMOD:     {"fchmod", 0, -1, syscall.EPERM},
	syscall.SYS_LSEEK:      {"lseek", 0, -1, syscall.EIO},
	syscall.SYS_GETDENTS64: {"getdents", 0, -1, syscall.EIO},
	syscall.SYS_MMAP:       {"mmap", 4, -1, syscall.ENOMEM},
	syscall.SYS_RENAMEAT:   {"rename", -1, 1, syscall.EACCES},
	syscall.SYS_UNLINKAT:   {"unlink", -1, 1, syscall.EPERM},
	syscall.SYS_MKDIRAT:    {"mkdir", -1, 1, syscall.ENOSPC},
	syscall.SYS_NEWFSTATAT: {"stat", -1, 1, syscall.EIO},
	syscall.SYS_FCHMODAT:   {"chmod", -1, 1, syscall.EPERM},
}

// fault is the call that a run is to fail in, or has failed in: the n-th on files of
// the work, from 1, over all threads.
type fault struct {
	n    int
	call string // its name and file, once it has been made
}

// tracer runs a program and fails one of its calls.
type tracer struct {
	root    string // counted are calls on files below
	fault   *fault
	counted int
	inside  map[int]syscall.Errno // threads within the failed call
}

// traced runs a command to its end with a fault, and counts its calls.
func (a *attack) traced(ctx context.Context, dir string, c command, args []string, f *fault) (r result, counted int, err error) {
	runtime.LockOSThread() // the system knows the tracer by its thread
	defer runtime.UnlockOSThread()
	begin := time.Now()
	cmd, complaint, err := a.program(context.Background(), dir, args)
	if err != nil {
		return r, 0, err
	}
	defer cmd.Stdout.(*os.File).Close()
	errs, err := os.CreateTemp(a.work, "errors")
	if err != nil {
		return r, 0, err
	}
	defer func() { errs.Close(); os.Remove(errs.Name()) }()
	cmd.Stderr = errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return r, 0, err
	}
	pid := cmd.Process.Pid
	timer := time.AfterFunc(patience, func() { syscall.Kill(pid, syscall.SIGKILL) })
	defer timer.Stop()
	stop := context.AfterFunc(ctx, func() { syscall.Kill(pid, syscall.SIGKILL) })
	defer stop()
	end, err := a.accompany(ctx, dir, c, cmd.Process)
	if err != nil {
		syscall.Kill(pid, syscall.SIGKILL)
		return r, 0, errors.Join(err, cmd.Wait())
	}
	t := &tracer{root: dir, fault: f, inside: map[int]syscall.Errno{}}
	code, err := t.follow(pid)
	text, unread := os.ReadFile(errs.Name())
	complaint.Write(text)
	r = result{code, complaint.String(), time.Since(begin)}
	end(&r)
	cmd.Process.Release()
	return r, t.counted, errors.Join(err, unread, ctx.Err())
}

const (
	optSysGood  = 1
	optClone    = 8
	optFork     = 2
	optVfork    = 4
	optExitKill = 1 << 20
	waitAll     = 0x40000000
	waitThread  = 0x20000000 // for the children of this thread: what runs beside has another
	waitTraced  = waitAll | waitThread
)

// follow traces a stopped program until it ends, and returns its exit code.
func (t *tracer) follow(pid int) (code int, err error) {
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, waitTraced, nil); err != nil {
		return 0, fmt.Errorf("wait: %w", err)
	}
	if err := syscall.PtraceSetOptions(pid, optSysGood|optClone|optFork|optVfork|optExitKill); err != nil {
		return 0, fmt.Errorf("trace: %w", err)
	}
	syscall.PtraceSyscall(pid, 0)
	for {
		thread, err := syscall.Wait4(-1, &status, waitTraced, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("wait: %w", err)
		}
		if !status.Stopped() {
			if thread == pid {
				return status.ExitStatus(), nil // -1 after a signal
			}
			continue
		}
		// A thread may end at any moment: errors of what follows do no harm.
		signal := 0
		switch s := status.StopSignal(); {
		case s == syscall.SIGTRAP|0x80:
			t.call(thread)
		case s == syscall.SIGTRAP, s == syscall.SIGSTOP: // a new thread
		default:
			signal = int(s)
		}
		syscall.PtraceSyscall(thread, signal)
	}
}

// call looks at a thread that begins or ends a system call.
func (t *tracer) call(thread int) {
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(thread, &regs) != nil {
		return
	}
	const begins = -int64(syscall.ENOSYS) // what a call has for a result before it is made
	switch failing, failed := t.inside[thread]; {
	case failed:
		delete(t.inside, thread)
		regs.Rax = uint64(-int64(failing))
		syscall.PtraceSetRegs(thread, &regs)
	case int64(regs.Rax) == begins:
		c, known := calls[regs.Orig_rax]
		if !known {
			return
		}
		file := t.file(thread, c, [6]uint64{regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8, regs.R9})
		if file != t.root && !strings.HasPrefix(file, t.root+"/") {
			return
		}
		if t.counted++; t.counted != t.fault.n {
			return
		}
		t.fault.call = c.name + " " + strings.TrimPrefix(file, t.root+"/")
		t.inside[thread] = c.errno
		regs.Orig_rax = ^uint64(0) // no such call: it does nothing
		syscall.PtraceSetRegs(thread, &regs)
	}
}

// file is what a call works on, "" if that is unknown.
func (t *tracer) file(thread int, c call, args [6]uint64) string {
	if c.fd >= 0 {
		name, _ := os.Readlink("/proc/" + strconv.Itoa(thread) + "/fd/" + strconv.Itoa(int(int32(args[c.fd]))))
		return strings.TrimSuffix(name, " (deleted)")
	}
	var text [4096]byte
	n, _ := syscall.PtracePeekData(thread, uintptr(args[c.path]), text[:64])
	for n > 0 && n < len(text) && bytes.IndexByte(text[:n], 0) < 0 {
		more, err := syscall.PtracePeekData(thread, uintptr(args[c.path])+uintptr(n), text[n:n+64])
		if err != nil || more == 0 {
			break
		}
		n += more
	}
	name, _, _ := strings.Cut(string(text[:n]), "\x00")
	if name == "" || filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(t.root, name)
}
