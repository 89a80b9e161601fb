package victimrubble

// maxSteps is where the count of steps stops in a game without limit.
const maxSteps = 1<<31 - 2

// State is everything that changes in a game, and what is drawn for an
// episode. It is plain data: copying it copies the game.
type State struct {
	At      [maxAgents]int16 // (agents,) cell of each agent; of those who are out, the last
	Rubble  [maxThings]int16 // (rubble,) cell of each heap
	Victim  [maxThings]int16 // (victims,) cell of each victim
	Trap    [maxTraps]int16  // (traps,) cells that kill
	Door    int16            // cell of the locked door, -1 where there is none
	Shut    cellSet          // cells that can't be entered: rubble, a locked door, what is wall in this episode
	Cleared uint32           // heaps that are cleared, a bit each
	Healed  uint32           // victims that are healed, a bit each
	Open    bool             // the door is open
	Out     uint32           // agents that have left or died, a bit each
	T       int32            // steps played
	success bool             // all victims are healed
	failed  bool             // those who are left can't heal all
	ended   bool             // by success, failure or the limit
}

// cellSet is a set of cells.
type cellSet [maxCells / 64]uint64

func (c *cellSet) has(cell int16) bool { return c[cell>>6]>>(cell&63)&1 != 0 }
func (c *cellSet) add(cell int16)      { c[cell>>6] |= 1 << (cell & 63) }
func (c *cellSet) remove(cell int16)   { c[cell>>6] &^= 1 << (cell & 63) }

func (s *State) out(agent int) bool { return s.Out>>agent&1 != 0 }
func (s *State) cleared(k int) bool { return s.Cleared>>k&1 != 0 }
func (s *State) healed(k int) bool  { return s.Healed>>k&1 != 0 }

// all is the set of the first n.
func all(n int) uint32 { return 1<<n - 1 }
