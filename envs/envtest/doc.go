// Package envtest is the conformance kit of environments: what the contract of
// envs says, as tests. The test file of a world begins with
//
//	func TestContract(t *testing.T) { envtest.Run(t, entry, nil, map[string]any{"agents": 4}) }
//	func TestGolden(t *testing.T)   { envtest.Golden(t, entry, "testdata/golden.txt") }
//	func TestCases(t *testing.T)    { envtest.Cases(t, entry, "testdata") }
//	func FuzzRestore(f *testing.F)  { envtest.Fuzz(f, entry) }
//	func BenchmarkStep(b *testing.B) { envtest.Bench(b, entry, nil) }
//
// and a wrapper's with
//
//	func TestContract(t *testing.T) { envtest.RunWrapped(t, entry, wrapper) }
//
// Every check builds environments of its own through the entry, plays random
// legal actions from fixed seeds, and fills each frame with rubbish before each
// call, so that an element a world forgets to write is seen.
//
// Beside them, Reach tests that the bounds in the layout tables are reached.
// The flag -update rewrites expectations of Cases and Golden.
//
// That every catalogued world has a golden playthrough is for a test in the
// catalogue to say, the list being there:
//
//	for _, e := range catalog.All() {
//		name := strings.ReplaceAll(e.ID[:strings.LastIndex(e.ID, "-v")], "-", "")
//		_, err := os.Stat("../grid/" + name + "/testdata/golden.txt")
//		…
//	}
package envtest
