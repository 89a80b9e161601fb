// Package paint draws the screens of package ui as a person would see them:
// what is a phone looks like one, and what is a page like a page.
package paint
