package phone

import (
	"testing"

	"marlpit/envs/ui/uitest"
)

func TestTemplates(t *testing.T) { uitest.Run(t, templates) }
