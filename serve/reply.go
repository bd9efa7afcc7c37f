package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"
)

// writeTimeout is how long a reader may take for a piece of an answer.
const writeTimeout = 20 * time.Second

// allowTime gives the reader time for the next piece of an answer.
func allowTime(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // not all writers have one
}

// asked works out the answer to a request.
type asked func(r *http.Request) (any, error)

// gives sends what is asked for as JSON.
func (s *Server) gives(what asked) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		value, err := what(r)
		s.reply(w, value, err)
	}
}

// reads is gives for what reads and counts large files, or many: it takes turns. Who
// reads the answer slowly keeps nobody waiting.
func (s *Server) reads(what asked) http.HandlerFunc {
	return s.gives(func(r *http.Request) (any, error) {
		return s.inTurn(r.Context(), clientOf(r), func() (any, error) { return what(r) })
	})
}

// inTurn has a client read large files when it is its turn.
func (s *Server) inTurn(ctx context.Context, client string, read func() (any, error)) (any, error) {
	if err := s.readers.enter(ctx, client); err != nil {
		return nil, err
	}
	defer s.readers.leave()
	return read()
}

// reply sends a value as JSON, or an error as an object with its text.
func (s *Server) reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		sendFailure(w, statusOf(err), s.failure(err))
		return
	}
	data, err := json.Marshal(value)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "%v", err)
		return
	}
	sendAs(w, http.StatusOK, jsonType, append(data, '\n'))
}

const jsonType = "application/json"

// failure is how an error is sent.
type failure struct {
	Error    string `json:"error"`
	Stopping bool   `json:"stopping,omitempty"` // the server is: who asks again when it is there gets an answer
}

// failure is an error without where the folder is.
func (s *Server) failure(err error) failure {
	return failure{s.folder.plain(err), s.done.Err() != nil}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	sendFailure(w, status, failure{Error: fmt.Sprintf(format, args...)})
}

func sendFailure(w http.ResponseWriter, status int, f failure) {
	data, err := json.Marshal(f)
	if err != nil {
		data = []byte(`{"error":"unknown"}`)
	}
	sendAs(w, status, jsonType, append(data, '\n'))
}

// errStopping says that the server ends.
var errStopping = errors.New("the server stops: start it again")

// errTooLong says that a search has taken the time there is for one.
var errTooLong = errors.New("the request took too long")

// statusOf is the status of an error: what is asked for is wrong, unless the error says
// otherwise.
func statusOf(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, errStopping), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, errTooLong):
		return http.StatusGatewayTimeout
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}
