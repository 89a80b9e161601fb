package ui

import "strconv"

// DaysInYear is the length of the simulated year, whose days are numbered from 0, Thursday 1 January.
const DaysInYear = 365

var (
	weekdays = [...]string{"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"}
	months   = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	monthLen = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
)

// Weekday is the short name of a day's weekday.
func Weekday(day int) string { return weekdays[((day%7)+7)%7] }

// MonthName is the short name of the month 0 … 11.
func MonthName(month int) string { return months[((month%12)+12)%12] }

// MonthDays is the number of days of the month 0 … 11.
func MonthDays(month int) int { return monthLen[((month%12)+12)%12] }

// DayOf is the number of a day from its month, 0 … 11, and its day of the month, from 1.
func DayOf(month, dayOfMonth int) int {
	d := dayOfMonth - 1
	for m := range month {
		d += monthLen[m%12]
	}
	return d
}

// MonthOf is the month, 0 … 11, and the day of the month, from 1, of a day.
func MonthOf(day int) (month, dayOfMonth int) {
	day = ((day % DaysInYear) + DaysInYear) % DaysInYear
	for day >= monthLen[month] {
		day -= monthLen[month]
		month++
	}
	return month, day + 1
}

// AppendDate appends a day as "Tue 3 Mar".
func AppendDate(dst []byte, day int) []byte {
	month, d := MonthOf(day)
	dst = append(dst, Weekday(day)...)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(d), 10)
	dst = append(dst, ' ')
	return append(dst, months[month]...)
}

// AppendClock appends minutes since midnight as "07:30".
func AppendClock(dst []byte, minutes int) []byte {
	minutes = ((minutes % 1440) + 1440) % 1440
	h, m := minutes/60, minutes%60
	return append(dst, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10))
}

// AppendCents appends hundredths as "12.50".
func AppendCents(dst []byte, n int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, int64(n/100), 10)
	return append(dst, '.', byte('0'+n/10%10), byte('0'+n%10))
}

// Date is AppendDate as a string of its own.
func Date(day int) string { return string(AppendDate(nil, day)) }

// Clock is AppendClock as a string of its own.
func Clock(minutes int) string { return string(AppendClock(nil, minutes)) }

// Cents is AppendCents as a string of its own.
func Cents(n int) string { return string(AppendCents(nil, n)) }
