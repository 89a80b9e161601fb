package api

import (
	"bytes"
	"encoding/base64"
	"math"

	"github.com/vmihailenco/msgpack/v5"
)

// reader reads a body that walk has accepted. Types are strict: a number is
// never made of a text, an integer never of a float, and a reading method that
// returns false has moved nothing.
type reader struct {
	b    []byte // borrowed from the request: copy what is kept
	i    int
	json bool // came as JSON: bytes are base64 texts
}

// open checks a whole body and returns a reader at its start.
func open(body []byte, json bool) (reader, error) {
	end, err := walk(body)
	if err != nil {
		return reader{}, err
	}
	if end != len(body) {
		return reader{}, refuse(errBadRequest, "", "%d bytes after the end of the value at byte %d", len(body)-end, end)
	}
	return reader{b: body, json: json}, nil
}

// raw returns the bytes of the next value and moves past it.
func (r *reader) raw() []byte {
	start := r.i
	n, err := walk(r.b[start:])
	if err != nil {
		panic("api: reader used on a body that was not walked")
	}
	r.i += n
	return r.b[start:r.i]
}

// sub is a reader of one value's bytes.
func (r *reader) sub(raw []byte) reader { return reader{b: raw, json: r.json} }

// array moves into an array of n elements.
func (r *reader) array() (n int, ok bool) {
	t := r.b[r.i]
	if t&0xf0 != 0x90 && t != 0xdc && t != 0xdd {
		return 0, false
	}
	head, _, count, _ := shape(r.b[r.i:])
	r.i += head
	return int(count), true
}

// object moves into a map of n pairs.
func (r *reader) object() (n int, ok bool) {
	t := r.b[r.i]
	if t&0xf0 != 0x80 && t != 0xde && t != 0xdf {
		return 0, false
	}
	head, _, count, _ := shape(r.b[r.i:])
	r.i += head
	return int(count / 2), true
}

// text reads a string; the bytes are borrowed.
func (r *reader) text() ([]byte, bool) {
	t := r.b[r.i]
	if t&0xe0 != 0xa0 && t != 0xd9 && t != 0xda && t != 0xdb {
		return nil, false
	}
	return r.content(), true
}

// bytes reads a byte string, which JSON writes as base64. The bytes are
// borrowed.
func (r *reader) bytes() ([]byte, bool) {
	switch r.b[r.i] {
	case 0xc4, 0xc5, 0xc6:
		return r.content(), true
	}
	if !r.json {
		return nil, false
	}
	at := r.i
	t, ok := r.text()
	if !ok {
		return nil, false
	}
	out, err := base64.StdEncoding.DecodeString(string(t))
	if err != nil {
		r.i = at
		return nil, false
	}
	return out, true
}

func (r *reader) content() []byte {
	head, size, _, _ := shape(r.b[r.i:])
	start := r.i + head
	r.i = start + int(size)
	return r.b[start:r.i:r.i]
}

// boolean reads true or false.
func (r *reader) boolean() (v, ok bool) {
	t := r.b[r.i]
	if t != 0xc2 && t != 0xc3 {
		return false, false
	}
	r.i++
	return t == 0xc3, true
}

// null says whether the next value is nil, and moves past it if so.
func (r *reader) null() bool {
	if r.b[r.i] != 0xc0 {
		return false
	}
	r.i++
	return true
}

// integer reads an integer: its magnitude's bits as int64, or, where it is
// above the largest int64, as uint64 with big set.
func (r *reader) integer() (v int64, big uint64, ok bool) {
	t := r.b[r.i]
	switch {
	case t < 0x80:
		r.i++
		return int64(t), 0, true
	case t >= 0xe0:
		r.i++
		return int64(int8(t)), 0, true
	case t < 0xcc || t > 0xd3:
		return 0, 0, false
	}
	c := r.content()
	u := bigEndian(c)
	if t >= 0xd0 {
		shift := 64 - 8*len(c)
		return int64(u<<shift) >> shift, 0, true
	}
	if u > math.MaxInt64 {
		return 0, u, true
	}
	return int64(u), 0, true
}

// unsigned reads an integer from 0 to 2⁶⁴−1.
func (r *reader) unsigned() (uint64, bool) {
	at := r.i
	v, big, ok := r.integer()
	if !ok || v < 0 {
		r.i = at
		return 0, false
	}
	if big != 0 {
		return big, true
	}
	return uint64(v), true
}

// number reads a float or an integer.
func (r *reader) number() (float64, bool) {
	switch r.b[r.i] {
	case 0xca:
		return float64(math.Float32frombits(uint32(bigEndian(r.content())))), true
	case 0xcb:
		return math.Float64frombits(bigEndian(r.content())), true
	}
	v, big, ok := r.integer()
	if big != 0 {
		return float64(big), ok
	}
	return float64(v), ok
}

// value reads anything: maps with texts for keys, lists, int64, uint64,
// float64, texts, bytes, booleans and nil.
func (r *reader) value() (any, error) {
	dec := msgpack.NewDecoder(bytes.NewReader(r.raw()))
	dec.UseLooseInterfaceDecoding(true)
	v, err := dec.DecodeInterface()
	if err != nil {
		return nil, refuse(errBadRequest, "", "a value can't be read: %v", err)
	}
	return v, nil
}

// what names the next value for a message.
func (r *reader) what() string {
	t := r.b[r.i]
	_, size, count, _ := shape(r.b[r.i:])
	switch {
	case t < 0x80 || t >= 0xe0 || t >= 0xcc && t <= 0xd3:
		c := *r
		v, big, _ := c.integer()
		if big != 0 {
			return "the integer " + utoa(big)
		}
		return "the integer " + itoa(v)
	case t == 0xca || t == 0xcb:
		c := *r
		v, _ := c.number()
		return "the float " + ftoa(v)
	case t == 0xc0:
		return "nil"
	case t == 0xc2:
		return "false"
	case t == 0xc3:
		return "true"
	case t&0xe0 == 0xa0 || t >= 0xd9 && t <= 0xdb:
		return "a text of " + utoa(size) + " bytes"
	case t&0xf0 == 0x80 || t >= 0xde:
		return "a map of " + utoa(count/2)
	case t&0xf0 == 0x90 || t >= 0xdc:
		return "a list of " + utoa(count)
	case t >= 0xc4 && t <= 0xc6:
		return utoa(size) + " raw bytes"
	}
	return "an extension type"
}
