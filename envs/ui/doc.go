// Package ui is the toolkit of simulated user interfaces: phones and pages
// whose whole state is plain data.
//
// A Sim is a state with two functions: View, which lists the widgets that show
// it, and Update, which changes it by one Event. A Template is a kind of task
// on a Sim: it sets the state up from a seed, says in words what is wanted,
// tests the state for it, and knows how to get there. A Device holds a Sim in
// its hands: it lays widgets out, keeps focus, keyboard and scrolling, turns
// an Action into Events, and says whether the task is done.
//
// Nothing here knows of agents: Game puts a team of them around a Device.
package ui
