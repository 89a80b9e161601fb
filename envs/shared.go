package envs

import (
	"runtime"
	"sync"
	"weak"
)

// Shared keeps one value for each key for as long as somebody uses it: what
// many copies of a game have in common (maps, tables) is made once. The zero
// value is ready; it is safe for concurrent use.
type Shared[K comparable, V any] struct {
	mu   sync.Mutex
	held map[K]weak.Pointer[V]
}

// Get returns the value of a key, made by build if nobody holds it.
func (s *Shared[K, V]) Get(key K, build func() *V) *V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.held[key].Value(); v != nil {
		return v
	}
	v := build()
	if s.held == nil {
		s.held = make(map[K]weak.Pointer[V])
	}
	s.held[key] = weak.Make(v)
	runtime.AddCleanup(v, s.forget, key)
	return v
}

// forget drops a key whose value is gone, unless it has a new one.
func (s *Shared[K, V]) forget(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[key].Value() == nil {
		delete(s.held, key)
	}
}
