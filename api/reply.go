package api

import (
	"github.com/gofiber/fiber/v2"
)

// reply writes the arrays of the session as they are: the reply to a reset, a
// step, a restored snapshot, and to each of them asked for again. It appends to
// the response's own buffer, which the connection keeps.
func (s *session) reply(c *fiber.Ctx) error {
	asJSON := wantsJSON(c)
	setType(c, asJSON)
	buf := c.Response().SwapBody(nil)[:0]
	if asJSON {
		buf = s.appendJSON(buf)
	} else {
		buf = s.appendMsgpack(buf)
	}
	c.Response().SwapBody(buf)
	return nil
}

// appendMsgpack appends the reply in the order of the layout.
func (s *session) appendMsgpack(dst []byte) []byte {
	rows := s.pool.FinalRows()
	notes := s.noted()
	n := 1 + len(s.arrays)
	if len(rows) > 0 {
		n += 1 + len(s.finals)
	}
	if len(notes) > 0 {
		n++
	}
	if len(s.rounds) > 0 {
		n++
	}
	dst = append(dst, 0x80|byte(n)) // at most 15 keys
	dst = appendUint(appendText(dst, "seq"), s.seq)
	for i := range s.arrays {
		dst = append(dst, s.arrays[i].head...)
		dst = append(dst, s.arrays[i].data...)
	}
	if len(rows) > 0 {
		dst = appendBin(appendText(dst, "final_rows"), 4*len(rows))
		dst = append(dst, memory(rows)...)
		for i := range s.finals {
			f := &s.finals[i]
			dst = appendBin(appendText(dst, f.name), len(rows)*f.row)
			for _, r := range rows {
				dst = append(dst, f.data[int(r)*f.row:(int(r)+1)*f.row]...)
			}
		}
	}
	return s.appendTold(dst, notes, false)
}

// appendTold appends what stands in words in a reply, where there is any.
func (s *session) appendTold(dst []byte, notes []noteReply, asJSON bool) []byte {
	if len(notes) > 0 {
		dst = appendNotes(dst, notes, asJSON)
	}
	if len(s.rounds) > 0 {
		dst = s.appendRounds(dst, asJSON)
	}
	return dst
}

// appendJSON appends the same reply with nested lists for arrays.
func (s *session) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"seq":`...)
	dst = append(dst, utoa(s.seq)...)
	for i := range s.arrays {
		a := &s.arrays[i]
		dst = appendKeyJSON(dst, a.name)
		if a.bytes != nil {
			dst = appendNested(dst, a.bytes, a.shape, appendByteJSON)
		} else {
			dst = appendNested(dst, a.floats, a.shape, appendFloatJSON)
		}
	}
	if rows := s.pool.FinalRows(); len(rows) > 0 {
		dst = appendKeyJSON(dst, "final_rows")
		dst = appendNested(dst, rows, []int{len(rows)}, appendInt32JSON)
		for i := range s.finals {
			dst = s.appendFinalJSON(appendKeyJSON(dst, s.finals[i].name), &s.finals[i], rows)
		}
	}
	return append(s.appendTold(dst, s.noted(), true), '}')
}

func (s *session) appendFinalJSON(dst []byte, f *array, rows []int32) []byte {
	dst = append(dst, '[')
	for k, r := range rows {
		if k > 0 {
			dst = append(dst, ',')
		}
		if f.bytes != nil {
			n := len(f.bytes) / s.pool.Len()
			dst = appendNested(dst, f.bytes[int(r)*n:(int(r)+1)*n], f.shape[1:], appendByteJSON)
		} else {
			n := len(f.floats) / s.pool.Len()
			dst = appendNested(dst, f.floats[int(r)*n:(int(r)+1)*n], f.shape[1:], appendFloatJSON)
		}
	}
	return append(dst, ']')
}

func appendKeyJSON(dst []byte, key string) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, key...)
	return append(dst, '"', ':')
}
