package main

import (
	"fmt"
	"strings"
)

// card is the data set's README.md. Its head tells `datasets` where the rows are.
func (c *exportDPOCmd) card(r exported, example string) string {
	var b strings.Builder
	b.WriteString("---\nlanguage: en\ntags: [dpo, preference, agents, ui]\ntask_categories: [text-generation]\nconfigs:\n- config_name: default\n  data_files:\n")
	if r.Test < r.Pairs {
		b.WriteString("  - split: train\n    path: " + trlTrain + "\n")
	}
	if r.Test > 0 {
		b.WriteString("  - split: test\n    path: " + trlTest + "\n")
	}
	fmt.Fprintf(&b, `---

# Preferences between actions in an app

%d pairs of actions, %d of them for testing, made by marlpit %s of %d rounds in which agents proposed what to do next. The same pairs stand in two formats:

| for | files | read by |
|---|---|---|
| TRL (`+"`DPOTrainer`"+`) | trl/ | `+"`datasets.load_dataset(\"FOLDER\")`"+`: columns prompt, chosen, rejected, each a list of messages |
| LLaMA-Factory | llama_factory/ | `+"`dataset_dir: FOLDER/llama_factory`, `dataset: marlpit_dpo`, `stage: dpo`"+` |

## How they were made

- Scores, from 0 to 1, are those of the critic `+"`%s`"+`.
- Chosen is the action of a round with the highest score, which is at least %v. Rejected is an action that was made to be wrong and isn't right by the task's own solution (%d pairs), or one that scored %v or less (%d pairs); at most %d pairs a round.
- Left out: %d answers of the critic that can't be used, %d rounds in which nothing scored high enough, %d with nothing to reject, and %d actions that were made to be wrong and turned out right, or were never checked.
- Of %d pairs it is known what is right by the task's own solution: in %d of them the chosen action is wrong, in %d the rejected one is right. These are the critic's mistakes; they were left in.
- No goal is on both sides of the split into training and testing, but the tasks are the same ones.
- A reason is part of an answer only where both sides have one, so that it tells nothing about which is better.

## A row

`+"```json\n%s```\n", r.Pairs, r.Test, version, r.Rounds, r.Critic, c.Chosen, r.Adversarial, c.Rejected, r.Pairs-r.Adversarial, c.PerRound,
		r.Invalid, r.NoChosen, r.NoRejected, r.TurnedRight, r.Checked, r.ChosenWrong, r.RejectedGood, example)
	return b.String()
}
