package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/envs/catalog"
)

// TestEnvsListsTheValuesThatErrorsLeaveOut: each of them, in lines that can be read.
func TestEnvsListsTheValuesThatErrorsLeaveOut(t *testing.T) {
	code, out, errs := program("envs", "phone-v1")
	require.Zero(t, code, errs)
	entry, err := catalog.All().Find("phone-v1")
	require.NoError(t, err)
	templates := entry.Params[0]
	require.Equal(t, "template", templates.Name)
	assert.Contains(t, out, "one of the 151 below")
	_, list, found := strings.Cut(out, "\nThe 151 values of template:\n")
	require.True(t, found)
	assert.Equal(t, templates.Enum, strings.Fields(strings.ReplaceAll(list, ",", "")))
	for _, line := range strings.Split(list, "\n") {
		assert.LessOrEqual(t, len(line), 80)
	}

	code, _, errs = program("rounds", "--env", "phone-v1", "-p", "template=contact-add", "--out", t.TempDir()+"/x")
	assert.Equal(t, 2, code)
	assert.Contains(t, errs, `phone-v1: there is no template "contact-add": did you mean "contacts-add"? There are 151, such as `)
	assert.Contains(t, errs, "'marlpit envs phone-v1' lists them")
	assert.Less(t, len(errs), 300)
}
