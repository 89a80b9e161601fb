package api

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

// store holds the sessions by id and by view id.
//
// A session is leased: every call by its id renews it, and one that nobody
// called for the idle time is reaped, but never while a call runs. An id ends
// in a code made with the store's key, so that an id that once was good is told
// from one that never was without remembering either.
type store struct {
	mu     sync.RWMutex
	byID   map[string]handle
	n      int // sessions, including those being built
	max    int
	idle   time.Duration
	key    [16]byte
	closed func(*session, string) // called once for each session that ends
	stop   chan struct{}
	once   sync.Once
	ended  sync.WaitGroup
}

// handle is a session under one of its two ids.
type handle struct {
	s    *session
	view bool
}

func newStore(most int, idle time.Duration, closed func(*session, string)) *store {
	st := &store{byID: map[string]handle{}, max: most, idle: idle, closed: closed, stop: make(chan struct{})}
	if _, err := rand.Read(st.key[:]); err != nil {
		panic("api: no randomness: " + err.Error())
	}
	st.ended.Add(1)
	go st.reaper()
	return st
}

// newID makes an id: a letter for its kind, 12 random bytes, 8 of its code.
func (st *store) newID(kind byte) string {
	var b [20]byte
	if _, err := rand.Read(b[:12]); err != nil {
		panic("api: no randomness: " + err.Error())
	}
	copy(b[12:], st.code(kind, b[:12]))
	return string(kind) + hex.EncodeToString(b[:])
}

func (st *store) code(kind byte, id []byte) []byte {
	h := hmac.New(sha256.New, st.key[:])
	h.Write([]byte{kind})
	h.Write(id)
	return h.Sum(nil)[:8]
}

// issued says whether an id was once made by this store.
func (st *store) issued(id string) bool {
	if len(id) != 41 || id[0] != 's' && id[0] != 'v' {
		return false
	}
	b, err := hex.DecodeString(id[1:])
	return err == nil && hmac.Equal(b[12:], st.code(id[0], b[:12]))
}

// reserve takes a place for a session about to be built; put or unreserve
// follows.
func (st *store) reserve() error {
	st.mu.Lock()
	full := st.n >= st.max
	st.mu.Unlock()
	if full {
		st.reap()
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.n >= st.max {
		return refuse(errTooMany, "", "there are %d sessions, the most this server holds: delete one, or wait until an idle one expires", st.n)
	}
	st.n++
	return nil
}

func (st *store) unreserve() {
	st.mu.Lock()
	st.n--
	st.mu.Unlock()
}

// put makes a session known, in the place that was reserved.
func (st *store) put(s *session) {
	s.used.Store(time.Now().UnixNano())
	st.mu.Lock()
	st.byID[s.id] = handle{s: s}
	st.byID[s.view] = handle{s: s, view: true}
	st.mu.Unlock()
}

// acquire finds a session and keeps it from being reaped until release.
func (st *store) acquire(id string) (handle, error) {
	st.mu.RLock()
	h, ok := st.byID[id]
	if ok {
		h.s.calls.Add(1)
	}
	st.mu.RUnlock()
	if ok {
		return h, nil
	}
	if st.issued(id) {
		return h, refuse(errExpired, "", "session %s was deleted, or unused for longer than %v", id, st.idle)
	}
	return h, refuse(errNotFound, "", "there is no session %.60q", id)
}

// release ends a call. Calls by the view id don't renew the lease.
func (st *store) release(h handle) {
	if !h.view {
		h.s.used.Store(time.Now().UnixNano())
	}
	h.s.calls.Add(-1)
}

// drop forgets a session; it is closed once its running calls have ended.
func (st *store) drop(s *session, why string) bool {
	st.mu.Lock()
	_, ok := st.byID[s.id]
	if ok {
		st.forget(s)
	}
	st.mu.Unlock()
	if ok {
		st.closed(s, why)
	}
	return ok
}

func (st *store) forget(s *session) {
	delete(st.byID, s.id)
	delete(st.byID, s.view)
	st.n--
}

func (st *store) count() int {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return len(st.byID) / 2
}

// reap closes the sessions whose lease is over.
func (st *store) reap() {
	limit := time.Now().Add(-st.idle).UnixNano()
	var over []*session
	st.mu.Lock()
	for _, h := range st.byID {
		if !h.view && h.s.calls.Load() == 0 && h.s.used.Load() < limit {
			over = append(over, h.s)
		}
	}
	for _, s := range over {
		st.forget(s)
	}
	st.mu.Unlock()
	for _, s := range over {
		st.closed(s, "expired")
	}
}

func (st *store) reaper() {
	defer st.ended.Done()
	t := time.NewTicker(min(max(st.idle/10, 10*time.Millisecond), 30*time.Second))
	defer t.Stop()
	for {
		select {
		case <-st.stop:
			return
		case <-t.C:
			st.reap()
		}
	}
}

// close ends all sessions and the reaper.
func (st *store) close() {
	st.once.Do(func() { close(st.stop) })
	st.ended.Wait()
	st.mu.Lock()
	var all []*session
	for _, h := range st.byID {
		if !h.view {
			all = append(all, h.s)
		}
	}
	for _, s := range all {
		st.forget(s)
	}
	st.mu.Unlock()
	for _, s := range all {
		st.closed(s, "shutdown")
	}
}
