package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"time"

	"kroo/internal/oneline"
)

// writeTimeout is how long a reader may take for a piece of an answer.
const writeTimeout = 20 * time.Second

// reply sends a value as JSON, or an error as an object with its text.
func reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		refuse(w, statusOf(err), "%s", plain(err))
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	sendJSON(w, http.StatusOK, data)
}

func sendJSON(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // not all writers have one
	w.WriteHeader(status)
	w.Write(append(data, '\n')) // a reader that has gone misses nothing
}

// failure is how an error is sent.
type failure struct {
	Error string `json:"error"`
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	data, err := json.Marshal(failure{fmt.Sprintf(format, args...)})
	if err != nil {
		data = []byte(`{"error":"unknown"}`)
	}
	sendJSON(w, status, data)
}

// busy asks to come back later.
func busy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "2")
	refuse(w, http.StatusServiceUnavailable, "too many requests at a time: try again in a moment")
}

// statusOf is the status of an error: what is asked for is wrong, unless the error says
// otherwise.
func statusOf(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// subject is how errors of packages begin, which says nothing to a visitor.
var subject = regexp.MustCompile(`^((oware|play|analysis|book|endgame|serve|features|datasets|inspect|run): )+`)

// plain is the text of an error for people.
func plain(err error) string { return subject.ReplaceAllString(oneline.Of(err.Error()), "") }
