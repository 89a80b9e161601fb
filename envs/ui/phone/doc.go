// Package phone is phone-v1: a simulated phone with its apps, and tasks on it.
package phone
