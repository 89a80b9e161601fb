// Package process is credit for single proposals: in worlds whose agents talk
// in rounds, a critic gives each proposal of a round a score in [0,1], near 0.5
// where it is unsure, and the score stands in the place of the team reward.
//
// A Round is what a critic sees, as JSON. Its Key is the hash of that text, and
// whatever a critic says of a round is kept under it in one SQLite file (DB): it
// is committed before it is used, so that an answer is paid for once. Asker
// puts rounds to a critic while games wait, Run puts a recorded set, Table
// serves what was said without asking anybody. Pairs makes preference pairs of
// it all.
//
// What a critic says wrong is an invalid answer with its reason, never a score.
package process
