// Package web is web-v1: simulated web pages, each with its tasks.
package web
