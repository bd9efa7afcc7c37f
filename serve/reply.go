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

// writeTimeout is the time in which a reader must take each part of an answer.
const writeTimeout = 20 * time.Second

// allowTime starts the time for the next part of an answer.
func allowTime(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // an error means that the writer has no deadlines
}

// gives serves the values of a function as JSON.
func (s *Server) gives(value func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := value(r)
		s.reply(w, v, err)
	}
}

// inTurn reads large files when it is the client's turn. The turn ends before the answer is sent, so
// that slow readers delay nobody.
func (s *Server) inTurn(r *http.Request, read func() (string, error)) (string, error) {
	if err := s.readers.enter(r.Context(), clientOf(r)); err != nil {
		return "", err
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

// failure is an error as it is sent.
type failure struct {
	Error    string `json:"error"`
	Stopping bool   `json:"stopping,omitempty"` // the server is: the request can be repeated when it is back
}

// failure converts an error, without the path of the folder.
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

// errStopping is the error of requests when the server stops.
var errStopping = errors.New("the server stops: start it again")

// errTooLong is the error of a search that exceeds its time limit.
var errTooLong = errors.New("the request took too long")

// statusOf returns the HTTP status of an error: by default that of a bad request.
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
