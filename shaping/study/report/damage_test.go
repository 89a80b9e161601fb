package report_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marlpit/shaping/study/report"
)

// Whatever stands in a vote file, there is a page that is in order, or an error
// that says what is wrong with the input.
func TestDamagedVoteFiles(t *testing.T) {
	votesPath, modelPath := files(t, 0.25)
	whole, err := os.ReadFile(votesPath)
	require.NoError(t, err)
	for _, damage := range []string{
		`UPDATE worlds SET agents = '[]'`,
		`UPDATE worlds SET agents = '{"x":'`,
		`UPDATE worlds SET params = '{"max_cycles": 1e300}'`,
		`UPDATE worlds SET params = '{"max_cycles": {"a": [1]}}'`,
		`UPDATE worlds SET focus_sizes = '[4]'`,
		`UPDATE worlds SET focus_sizes = '[4, 5]'`,
		`UPDATE worlds SET obs_version = 7`,
		`UPDATE worlds SET state_size = -1`,
		`UPDATE worlds SET env = char(0) || 'x'`,
		`UPDATE collections SET params = 'null', solver = char(10) || '<b>', frames = -5`,
		`UPDATE collections SET seed = 'many'`,
		`DELETE FROM collections`,
		`UPDATE transitions SET snapshot_a = x'ffffffffffffff', snapshot_b = x''`,
		`UPDATE transitions SET snapshot_a = snapshot_b`,
		`UPDATE transitions SET state_a = x'0000c07f'`,
		`UPDATE transitions SET state_a = x'0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f'`,
		`UPDATE transitions SET actions = '[1, 99]'`,
		`UPDATE transitions SET actions = '{}'`,
		`UPDATE transitions SET actions = 'null', terminal = 5, step = -1`,
		`UPDATE transition_agents SET truth = 9e999`,
		`UPDATE transition_agents SET truth = 'text'`,
		`UPDATE transition_agents SET family = CAST(transition AS TEXT) || x'ff'`,
		`UPDATE transition_agents SET focus_a = NULL`,
		`PRAGMA foreign_keys = 0; UPDATE transition_agents SET agent = 300 WHERE agent = 1; UPDATE votes SET agent = 300 WHERE agent = 1`,
		`UPDATE votes SET confidence = -7, flipped = 90`,
		`UPDATE votes SET vote = 'invalid', reason = '</table>' || char(0)`,
		`UPDATE texts SET text = zeroblob(100000)`,
		`UPDATE annotators SET name = ''`,
		`DELETE FROM transitions`,
		`PRAGMA foreign_keys = 0; DROP TABLE requests`,
		`DROP VIEW v_costs`,
	} {
		path := filepath.Join(t.TempDir(), "votes.db")
		require.NoError(t, os.WriteFile(path, whole, 0o600))
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		db.SetMaxOpenConns(1)
		_, err = db.Exec(damage)
		require.NoError(t, err, damage)
		require.NoError(t, db.Close())
		for _, model := range []string{"", modelPath} {
			var page bytes.Buffer
			_, err := report.Write(ctx, &page, report.Options{Votes: path, Model: model, Registry: registry, CreatedBy: "test"})
			if err != nil {
				require.ErrorIs(t, err, report.ErrInput, damage)
				assert.Zero(t, page.Len(), damage)
				continue
			}
			selfContained(t, page.String())
		}
	}
}
