// Package prefer holds the per-agent scoring models σ_i: small nets fitted to
// votes on pairs of states by the Bradley–Terry likelihood with soft labels,
// saved with their provenance, and read on the step path as potentials. For
// each agent an ensemble is fitted; one net, distilled from it, is kept.
//
// A net has one hidden layer of 32 tanh units and a linear output, all in
// float32. Results are identical across runs: the random stream is fixed, every
// product is rounded before it is added (no fused operations), and tanh is the
// rational function of Tanh.
package prefer
