package grid

// Far is the distance of a place that can't be reached.
const Far = 1 << 20

// Distances gives for each place of a board the number of steps on a shortest
// path to the goal, (H, W), through the places where open is true; Far where
// there is none.
func Distances(b *Board, goal Point, open func(Point) bool) []int {
	out := make([]int, b.W*b.H)
	for i := range out {
		out[i] = Far
	}
	out[goal.Y*b.W+goal.X] = 0
	queue := []Point{goal}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		for _, step := range Step[Up:] {
			q := p.Add(step)
			if b.In(q) && open(q) && out[q.Y*b.W+q.X] == Far {
				out[q.Y*b.W+q.X] = out[p.Y*b.W+p.X] + 1
				queue = append(queue, q)
			}
		}
	}
	return out
}
