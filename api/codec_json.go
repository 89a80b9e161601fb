package api

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
)

func itoa(v int64) string   { return strconv.FormatInt(v, 10) }
func utoa(v uint64) string  { return strconv.FormatUint(v, 10) }
func ftoa(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// fromJSON turns a JSON body into msgpack, so that both encodings are read by
// the same code. A number without a point or an exponent is an integer.
func fromJSON(body []byte) ([]byte, error) {
	if !json.Valid(body) {
		var v any
		err := json.Unmarshal(body, &v)
		return nil, refuse(errBadRequest, "", "the body is no JSON: %v", err)
	}
	t := transcoder{dec: json.NewDecoder(bytes.NewReader(body)), out: make([]byte, 0, len(body)+16)}
	t.dec.UseNumber()
	if err := t.value(0); err != nil {
		return nil, err
	}
	return t.out, nil
}

type transcoder struct {
	dec *json.Decoder
	out []byte
}

func (t *transcoder) value(depth int) error {
	tok, err := t.dec.Token()
	if errors.Is(err, io.EOF) {
		return refuse(errBadRequest, "", "the body is empty")
	}
	if err != nil {
		return refuse(errBadRequest, "", "the body is no JSON: %v", err)
	}
	switch v := tok.(type) {
	case nil:
		t.out = append(t.out, 0xc0)
	case bool:
		t.out = appendBool(t.out, v)
	case string:
		t.out = appendText(t.out, v)
	case json.Number:
		return t.number(v.String())
	case json.Delim:
		if depth >= maxDepth-1 {
			return refuse(errBadRequest, "", "nested deeper than %d", maxDepth)
		}
		return t.container(v == '{', depth)
	}
	return nil
}

// container writes a list or a map, whose count is known at its end.
func (t *transcoder) container(object bool, depth int) error {
	at, n := len(t.out), uint32(0)
	t.out = append(t.out, 0xdd, 0, 0, 0, 0)
	if object {
		t.out[at] = 0xdf
	}
	for ; t.dec.More(); n++ {
		if object {
			if err := t.value(depth + 1); err != nil {
				return err
			}
		}
		if err := t.value(depth + 1); err != nil {
			return err
		}
	}
	if _, err := t.dec.Token(); err != nil {
		return refuse(errBadRequest, "", "the body is no JSON: %v", err)
	}
	binary.BigEndian.PutUint32(t.out[at+1:], n)
	return nil
}

func (t *transcoder) number(s string) error {
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		t.out = appendInt(t.out, v)
		return nil
	}
	if v, err := strconv.ParseUint(s, 10, 64); err == nil {
		t.out = appendUint(t.out, v)
		return nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return refuse(errBadRequest, "", "%.40q is no number that fits", s)
	}
	t.out = binary.BigEndian.AppendUint64(append(t.out, 0xcb), math.Float64bits(v))
	return nil
}

// appendNested appends numbers as nested lists of the given shape. What JSON
// has no number for (NaN, infinities) becomes null.
func appendNested[T any](dst []byte, v []T, shape []int, one func([]byte, T) []byte) []byte {
	if len(shape) == 0 {
		return one(dst, v[0])
	}
	dst = append(dst, '[')
	part := 0
	if shape[0] > 0 {
		part = len(v) / shape[0]
	}
	for i := range shape[0] {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNested(dst, v[i*part:(i+1)*part], shape[1:], one)
	}
	return append(dst, ']')
}

func appendFloatJSON(dst []byte, v float32) []byte {
	if v != v || math.IsInf(float64(v), 0) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, float64(v), 'g', -1, 32)
}

func appendByteJSON(dst []byte, v uint8) []byte  { return strconv.AppendUint(dst, uint64(v), 10) }
func appendInt32JSON(dst []byte, v int32) []byte { return strconv.AppendInt(dst, int64(v), 10) }
