package victimrubble

import (
	"sync"

	"marlpit/envs"
	"marlpit/envs/grid"
)

// far is the distance of what can't be reached.
const far = 1 << 14

// places are where things are in an episode: what paths depend on.
type places struct {
	Rubble, Victim [maxThings]int16
	Trap           [maxTraps]int16
	Door           int16
}

func (s *State) places() places { return places{s.Rubble, s.Victim, s.Trap, s.Door} }

// paths are the distances between the cells of one arrangement of places.
type paths struct {
	once sync.Once
	of   places
	made bool // steps are those of the places
	full bool // so are dist and tours

	// steps are those to the nearest cell from which a deed works, with all
	// rubble cleared and the door open: heaps, then victims, then the door.
	steps [][]int16 // (jobs, cells)

	// What the solver needs; a set is of heaps cleared, and as the last bit the door open.
	dist  []int16 // (sets, cells, cells) steps; far where there is no way
	tours []int16 // (sets, victims' sets, victims) work from a victim to heal the others of a set

	queue []int16 // scratch
}

// shared are the paths of layouts whose places are fixed. View, ending and limit
// don't matter to them, but for traps.
var shared envs.Shared[Params, paths]

func pathsOf(w *world) *paths {
	if w.random {
		return nil
	}
	p := w.params
	p.View, p.Radius, p.MaxCycles, p.Scout, p.Medics = "", 0, 0, false, 0
	if p.Ending == "leave" {
		p.Ending = "together"
	}
	return shared.Get(p, func() *paths { return new(paths) })
}

// jobs are numbered: heaps, then victims, then the door.
func (w *world) jobsAll() int {
	n := w.rubble + w.victims
	if w.door {
		n++
	}
	return n
}

// blockers is the number of heaps and doors.
func (w *world) blockers() int {
	if w.door {
		return w.rubble + 1
	}
	return w.rubble
}

// make makes steps for the places of a state, unless it is there.
func (p *paths) make(w *world, s *State) {
	if of := s.places(); !p.made || p.of != of {
		p.of, p.made, p.full = of, true, false
	} else {
		return
	}
	cells, jobs := w.cells.Len(), w.jobsAll()
	if p.steps == nil {
		p.queue = make([]int16, cells)
		p.steps = make([][]int16, jobs)
		for j := range p.steps {
			p.steps[j] = make([]int16, cells)
		}
	}
	shut := s.barriers(w, all(w.blockers()))
	for j, dst := range p.steps {
		n := 0
		for c := range dst {
			dst[c] = far
		}
		for c := range int16(cells) {
			if !shut.has(c) && s.works(w, j, c) {
				dst[c] = 0
				p.queue[n] = c
				n++
			}
		}
		p.spread(w, &shut, dst, n)
	}
}

// works says whether a job can be done from a cell.
func (s *State) works(w *world, job int, cell int16) bool {
	switch {
	case job < w.rubble:
		return w.beside(cell, s.Rubble[job])
	case job < w.rubble+w.victims:
		return cell == s.Victim[job-w.rubble]
	}
	return w.beside(cell, s.Door)
}

// barriers are the cells that nobody can, or should, enter once a set is open.
func (s *State) barriers(w *world, open uint32) cellSet {
	bare := *s
	bare.Cleared, bare.Open = open&all(w.rubble), w.door && open>>w.rubble&1 != 0
	bare.close(w)
	for _, t := range s.Trap[:w.traps] {
		if t >= 0 {
			bare.Shut.add(t)
		}
	}
	return bare.Shut
}

// spread finishes a breadth-first search: dst has 0 at the n cells of the queue
// and far elsewhere. Shut cells keep far, but for those it starts from.
func (p *paths) spread(w *world, shut *cellSet, dst []int16, n int) {
	for done := 0; done < n; done++ {
		c := p.queue[done]
		for _, to := range w.next[c][grid.Up:] {
			if dst[to] == far && !shut.has(to) {
				dst[to] = dst[c] + 1
				p.queue[n] = to
				n++
			}
		}
	}
}

// tabulate makes dist and tours for the places of a state, unless they are there.
func (p *paths) tabulate(w *world, s *State) {
	p.make(w, s)
	if p.full {
		return
	}
	p.full = true
	cells, sets := w.cells.Len(), 1<<w.blockers()
	subsets := 1 << w.victims
	if p.dist == nil {
		p.dist = make([]int16, sets*cells*cells)
		p.tours = make([]int16, sets*subsets*w.victims)
	}
	for i := range p.dist {
		p.dist[i] = far
	}
	for set := range sets {
		shut := s.barriers(w, uint32(set))
		for c := range cells {
			if shut.has(int16(c)) {
				continue
			}
			row := p.row(w, uint32(set), int16(c))
			row[c] = 0
			p.queue[0] = int16(c)
			p.spread(w, &shut, row, 1)
		}
		tours := p.tours[set*subsets*w.victims:]
		for sub := range subsets {
			for v := range w.victims {
				tours[sub*w.victims+v] = p.tour(w, s, uint32(set), uint32(sub), s.Victim[v])
			}
		}
	}
}

// row are the distances from a cell once a set is open.
func (p *paths) row(w *world, set uint32, from int16) []int16 {
	n := w.cells.Len()
	k := (int(set)*n + int(from)) * n
	return p.dist[k : k+n]
}

// tour is the least work of one medic at a cell to heal a set of victims.
func (p *paths) tour(w *world, s *State, set, victims uint32, from int16) int16 {
	if victims == 0 {
		return 0
	}
	_, work := p.first(w, s, set, victims, from)
	return work
}

// first is the victim that such a tour begins with, and its work.
func (p *paths) first(w *world, s *State, set, victims uint32, from int16) (victim int, work int16) {
	row := p.row(w, set, from)
	tours := p.tours[int(set)<<w.victims*w.victims:]
	victim, work = -1, far
	for v := range w.victims {
		if victims>>v&1 == 0 {
			continue
		}
		rest := int(victims &^ (1 << v))
		if d := row[s.Victim[v]]; d < far {
			if n := d + 1 + tours[rest*w.victims+v]; n < work {
				victim, work = v, n
			}
		}
	}
	return victim, work
}
