package input

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	failed := errors.New("failed")
	for _, tt := range []struct {
		name, in string
		take     func(string) (bool, error)
		want     []string
		err      string
	}{
		{"all", "a\r\n\nb", nil, []string{"a", "", "b"}, ""},
		{"none", "", nil, nil, ""},
		{"to the last", "a\nb\nc\n", func(s string) (bool, error) { return s == "b", nil }, []string{"a", "b"}, ""},
		{"to an error", "a\nb\n", func(string) (bool, error) { return false, failed }, []string{"a"}, "failed"},
		{"too long", "a\n" + strings.Repeat("b", 99), nil, []string{"a"}, "line 2: bufio.Scanner: token too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := Lines(t.Context(), strings.NewReader(tt.in), 16, func(text string) (bool, error) {
				got = append(got, text)
				if tt.take == nil {
					return false, nil
				}
				return tt.take(text)
			})
			if !slices.Equal(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("%q, error %v, expected %q, error %q", got, err, tt.want, tt.err)
			}
		})
	}
}

// TestTheContextEndsAnInputThatDoesNot: nobody writes to the pipe.
func TestTheContextEndsAnInputThatDoesNot(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, send := io.Pipe()
	defer send.Close()
	go func() {
		_, _ = io.WriteString(send, "a\n")
		cancel()
	}()
	if err := Lines(ctx, in, 16, func(string) (bool, error) { return false, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
