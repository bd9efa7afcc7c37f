package serve

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"kroo/internal/testkit"
)

// A client with many requests does not keep another's single one waiting behind them.
func TestQueueServesClientsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 100)
		testkit.NoError(t, q.enter(t.Context(), "first"))
		var order []string
		for _, client := range []string{"greedy", "greedy", "greedy", "modest", "third", "greedy"} {
			go func() {
				if q.enter(t.Context(), client) == nil {
					order = append(order, client)
					q.leave()
				}
			}()
			synctest.Wait()
		}
		q.leave()
		synctest.Wait()
		if want := []string{"greedy", "modest", "third", "greedy", "greedy", "greedy"}; !slices.Equal(order, want) {
			t.Errorf("served %q, want %q", order, want)
		}
		if q.free != 1 || len(q.waiting) != 0 {
			t.Errorf("left over: %+v", q)
		}
	})
}

func TestQueueRefusesTooMany(t *testing.T) {
	q := newQueue(1, 0)
	testkit.NoError(t, q.enter(t.Context(), "a"))
	if err := q.enter(t.Context(), "b"); !errors.Is(err, errBusy) {
		t.Errorf("the second gets %v, want errBusy", err)
	}
}

// Who gives up waiting leaves no trace, and a seat granted meanwhile is not lost.
func TestQueueForgetsWhoGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 100)
		testkit.NoError(t, q.enter(t.Context(), "a"))
		for range 50 {
			ctx, cancel := context.WithCancel(t.Context())
			go q.enter(ctx, "b")
			synctest.Wait()
			cancel()
			synctest.Wait()
		}
		if len(q.waiting) != 0 {
			t.Errorf("left over: %+v", q)
		}
		// Granted and given up at once.
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if q.enter(ctx, "b") == nil {
				q.leave()
			}
		}()
		synctest.Wait()
		cancel()
		q.leave()
		synctest.Wait()
		testkit.Equal(t, q.free, 1, "q.free")
	})
}
