package pool

// Spread makes the next call use the workers, however little there is to do.
func (p *Pool) Spread() { p.workers.spread = p.workers.most > 0 }
