// Package study is where worlds and critics meet, off the step path: it
// collects transitions of a world, has a critic's votes fitted to a scoring
// model, and judges critics and models against exact credit.
package study
