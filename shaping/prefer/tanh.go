package prefer

// tanhClamp is where the approximation of tanh is cut off.
const tanhClamp = 4.97

// Tanh is the nets' activation: the Padé approximant [7/6] of tanh with x
// clamped to ±4.97,
//
//	x·(135135 + x²·(17325 + x²·(378 + x²))) / (135135 + x²·(62370 + x²·(3150 + 28·x²)))
//
// each operation rounded to float32, in the order written from the inside out.
// It differs from tanh by at most 1e-4, and maps 0 to 0.
func Tanh(x float32) float32 {
	x = min(max(x, -tanhClamp), tanhClamp)
	y := x * x
	p := float32(y*(378+y)) + 17325
	p = float32(y*p) + 135135
	q := float32(28*y) + 3150
	q = float32(y*q) + 62370
	q = float32(y*q) + 135135
	return x * p / q
}

// tanh64 is the same function in float64, for fitting.
func tanh64(x float64) float64 {
	x = min(max(x, -tanhClamp), tanhClamp)
	y := x * x
	p := float64(y*(378+y)) + 17325
	p = float64(y*p) + 135135
	q := float64(28*y) + 3150
	q = float64(y*q) + 62370
	q = float64(y*q) + 135135
	return x * p / q
}

// logistic is 1/(1+exp(-x)) through tanh64: within 1e-4, the same on every machine.
func logistic(x float64) float64 { return 0.5 + float64(0.5*tanh64(0.5*x)) }
