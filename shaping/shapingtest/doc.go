// Package shapingtest is the kit for testing whatever asks critics: a real HTTP
// server that speaks the OpenAI protocol with a scripted verdict and every
// fault seen in the wild, and critics that are scripted, slow or failing.
package shapingtest
