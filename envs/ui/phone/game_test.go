package phone

import (
	"testing"

	"marlpit/envs/envtest"
)

func TestContract(t *testing.T) {
	envtest.Run(t, World(), nil, map[string]any{"template": "contacts-add", "agents": 1, "rounds": 1})
}
