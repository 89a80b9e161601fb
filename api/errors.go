package api

import (
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"

	"marlpit/api/pool"
	"marlpit/envs"
	"marlpit/shaping/prefer"
	"marlpit/shaping/study"
	"marlpit/wrappers"
)

// Errors of the edge. Each refusal wraps one of them, or one of the packages
// below; statuses turns them into a status and a code.
var (
	errBadRequest   = errors.New("the body can't be read")
	errUnauthorized = errors.New("the token is missing or wrong")
	errHost         = errors.New("Host or Origin is not this server's")
	errReadOnly     = errors.New("a view id can't change a session")
	errNotFound     = errors.New("not found")
	errMethod       = errors.New("method not allowed")
	errBadSeq       = errors.New("wrong seq")
	errExists       = errors.New("exists already")
	errExpired      = errors.New("the session has expired or was deleted")
	errTooLarge     = errors.New("too large")
	errUnsupported  = errors.New("unsupported")
	errInvalid      = errors.New("invalid")
	errInternal     = errors.New("internal error")
	errNoAbility    = errors.New("the world lacks the ability")
	errTooMany      = errors.New("too many sessions")
	errShutdown     = errors.New("the server is shutting down")
)

// statuses is the one table from errors to what a client sees; the first that
// matches counts.
var statuses = []struct {
	err    error
	status int
	code   string
}{
	{errBadRequest, 400, "bad_request"},
	{errUnauthorized, 401, "unauthorized"},
	{errHost, 403, "forbidden_host"},
	{errReadOnly, 403, "read_only"},
	{errNotFound, 404, "not_found"},
	{envs.ErrUnknownEnv, 404, "not_found"},
	{study.ErrNoLabeling, 404, "not_found"},
	{errMethod, 405, "method_not_allowed"},
	{errBadSeq, 409, "bad_seq"},
	{pool.ErrNotReset, 409, "not_reset"},
	{errExists, 409, "exists"},
	{errExpired, 410, "session_expired"},
	{errTooLarge, 413, "too_large"},
	{errUnsupported, 415, "unsupported"},
	{errInvalid, 422, "invalid"},
	{envs.ErrParams, 422, "invalid"},
	{envs.ErrSnapshot, 422, "invalid"},
	{envs.ErrTooLarge, 422, "invalid"},
	{wrappers.ErrReward, 422, "invalid"},
	{wrappers.ErrModel, 422, "invalid"},
	{prefer.ErrWorld, 422, "invalid"},
	{prefer.ErrFile, 422, "invalid"},
	{pool.ErrFailed, 500, "env_failed"},
	{errNoAbility, 501, "no_ability"},
	{pool.ErrNoSnapshot, 501, "no_ability"},
	{errTooMany, 503, "too_many_sessions"},
	{study.ErrLabelings, 503, "too_many_labelings"},
	{errShutdown, 503, "shutting_down"},
	{study.ErrUnusable, 500, "internal"},
	{errInternal, 500, "internal"},
}

// refusal is an error with the place in the request it concerns.
type refusal struct {
	kind    error  // what it wraps
	at      string // JSON pointer, or empty
	message string // what was expected, what came
}

func (r *refusal) Error() string { return r.message }
func (r *refusal) Unwrap() error { return r.kind }

// refuse makes an error of a kind of the table.
func refuse(kind error, at, format string, args ...any) error {
	return &refusal{kind: kind, at: at, message: fmt.Sprintf(format, args...)}
}

// errorReply is the body of every error.
type errorReply struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	At      string `json:"at"`
}

// unexpected stands for an error of no kind of the table, such as one of the
// disk, which may name what is nobody's business.
const unexpected = "a fault of the server; its log says more"

// describe turns any error into a status and a body.
func describe(err error) (int, errorReply) {
	reply := errorReply{Message: err.Error()}
	var r *refusal
	if errors.As(err, &r) {
		reply.At = r.at
	}
	var f *fiber.Error
	if errors.As(err, &f) {
		err = kindOf(f)
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			reply.Code = s.code
			return s.status, reply
		}
	}
	reply.Code, reply.Message = "internal", unexpected
	return 500, reply
}

// kindOf is the table's error for one of the router's.
func kindOf(f *fiber.Error) error {
	switch f.Code {
	case fiber.StatusNotFound:
		return errNotFound
	case fiber.StatusMethodNotAllowed:
		return errMethod
	case fiber.StatusRequestEntityTooLarge:
		return errTooLarge
	case fiber.StatusInternalServerError:
		return errInternal
	}
	return errBadRequest
}
