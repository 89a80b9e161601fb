"""Exported preference pairs are read by `datasets` and trained on by TRL.

It needs packages that the client doesn't: run it in an environment of its own,

    uv venv --python 3.11 trl-env
    VIRTUAL_ENV=$PWD/trl-env uv pip install -r clients/python/tests/heavy/preferences/requirements.txt
    trl-env/bin/python -m pytest --noconftest clients/python/tests/heavy/preferences

with the server compiled (`make server`), or named in MARLPIT_SERVER. Elsewhere it is skipped.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing is downloaded: model and tokenizer are made here
datasets = pytest.importorskip("datasets")
trl = pytest.importorskip("trl")
tokenizers = pytest.importorskip("tokenizers")
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

pytestmark = pytest.mark.filterwarnings("default")  # theirs are no errors of ours

ROOT = Path(__file__).resolve().parents[5]
NAME = "marlpit.exe" if sys.platform == "win32" else "marlpit"
BINARY = os.environ.get("MARLPIT_SERVER") or ROOT / "clients/python/src/marlpit/bin" / NAME
CHAT = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def marlpit(*args: str) -> dict[str, Any]:
    """Runs the program and reads what it prints."""
    done = subprocess.run([str(BINARY), *args, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set made of the recorded steps, scored by what is right in them."""
    folder = tmp_path_factory.mktemp("dpo")
    steps, db, out = ROOT / "shaping/process/testdata/steps.jsonl", folder / "scores.db", folder / "pairs"
    assert marlpit("score", "--rounds", str(steps), "--db", str(db), "--critic", "solution")["valid"] == 20
    made = marlpit("export", "dpo", "--db", str(db), "--out", str(out), "--test-share", "0.3")
    assert made["pairs"] > 20
    assert 0 < made["test"] < made["pairs"]
    assert made["checked"] == made["pairs"]
    assert made["chosen_wrong"] == made["rejected_right"] == 0
    return out


@pytest.fixture(scope="module")
def model(pairs: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a tiny model with a tokenizer, made of nothing."""
    folder = tmp_path_factory.mktemp("model")
    special = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<pad>"]
    bpe = tokenizers.ByteLevelBPETokenizer()
    bpe.train([str(f) for f in pairs.rglob("*.jsonl")], vocab_size=400, special_tokens=special)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=bpe._tokenizer, eos_token="<|end|>", pad_token="<pad>")
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    torch.set_num_threads(1)  # the model is tiny, and threads that wait for each other cost more than they bring
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def train(model: str, rows: Any, folder: Path) -> None:
    """Two steps of DPO; the loss is a number, and the weights have moved."""
    args = trl.DPOConfig(
        output_dir=str(folder),
        max_steps=2,
        per_device_train_batch_size=2,
        learning_rate=1e-2,
        logging_steps=1,
        max_length=2048,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        bf16=False,
        seed=0,
    )
    before = transformers.AutoModelForCausalLM.from_pretrained(model)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    trainer = trl.DPOTrainer(model=model, args=args, train_dataset=rows, processing_class=tokenizer)
    trainer.train()
    assert trainer.state.global_step == 2
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    assert len(losses) == 2
    assert all(math.isfinite(x) for x in losses)
    assert losses[0] == pytest.approx(math.log(2), abs=1e-3)  # model and reference are the same at first
    moved = [not torch.equal(a, b.to(a)) for a, b in zip(before.parameters(), trainer.model.cpu().parameters(), strict=True)]
    assert any(moved)


def test_trl_reads_and_trains(pairs: Path, model: str, tmp_path: Path) -> None:
    """The folder is a data set: its card says where the splits are."""
    data = datasets.load_dataset(str(pairs), cache_dir=str(tmp_path / "cache"))
    assert set(data) == {"train", "test"}
    assert set(data["train"].column_names) == {"prompt", "chosen", "rejected"}
    row = data["train"][0]
    assert [m["role"] for m in row["prompt"]] == ["system", "user"]
    assert [m["role"] for m in row["chosen"]] == ["assistant"]
    goals = {split: {json.loads(r["prompt"][1]["content"])["goal"] for r in data[split]} for split in data}
    assert not goals["train"] & goals["test"]
    for r in data["train"]:
        assert json.loads(r["chosen"][0]["content"]) != json.loads(r["rejected"][0]["content"])
    train(model, data["train"], tmp_path / "out")


def test_llama_factory_reads_and_trains(pairs: Path, model: str, tmp_path: Path) -> None:
    """Its columns are those that dataset_info.json names, and hold the same pairs."""
    folder = pairs / "llama_factory"
    info = json.loads((folder / "dataset_info.json").read_text())
    assert set(info) == {"marlpit_dpo", "marlpit_dpo_test"}
    entry = info["marlpit_dpo"]
    assert entry["formatting"] == "sharegpt"
    assert entry["ranking"] is True
    rows = datasets.load_dataset(
        "json", data_files=str(folder / entry["file_name"]), split="train", cache_dir=str(tmp_path / "cache")
    )
    column = entry["columns"]

    def conversation(row: dict[str, Any]) -> dict[str, Any]:
        roles = {"human": "user", "gpt": "assistant"}
        say = [{"role": roles[m["from"]], "content": m["value"]} for m in row[column["messages"]]]
        return {
            "prompt": [{"role": "system", "content": row[column["system"]]}, *say],
            "chosen": [{"role": "assistant", "content": row[column["chosen"]]["value"]}],
            "rejected": [{"role": "assistant", "content": row[column["rejected"]]["value"]}],
        }

    rows = rows.map(conversation, remove_columns=[c for c in rows.column_names if c not in ("chosen", "rejected")])
    same = datasets.load_dataset(str(pairs), split="train", cache_dir=str(tmp_path / "cache"))
    assert [dict(r) for r in rows.select_columns(["prompt", "chosen", "rejected"])] == [dict(r) for r in same]
    train(model, rows, tmp_path / "out")
