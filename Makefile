# marlpit: what a person does with a clone. `make` alone lists it.
#
# Needs Go, Python 3.10+ with venv, and make; everything else is installed into .venv.

GO      ?= go
PYTHON  ?= python3
VENV    := .venv
CLIENT  := clients/python
SERVER  := $(CLIENT)/src/marlpit/bin/marlpit$(shell $(GO) env GOEXE)

# Pinned, run through Go's module cache: nothing to install.
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# What the client is compared with has dependencies of its own.
PEER := $(VENV)/peer

# Training libraries bring torch along: an environment of their own, from a lock.
TRAIN := $(VENV)/train
LOCK  := $(CLIENT)/tests/heavy/train/requirements.txt

# The wheels that `make wheels` builds, as GOOS/GOARCH.
WHEELS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64

ifeq ($(OS),Windows_NT)
  PY := $(VENV)/Scripts/python
else
  PY := $(VENV)/bin/python
endif

export CGO_ENABLED ?= 0

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-go test-python lint bench bench-train docs golden models wheels build server clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/.ready server ## install the package into .venv and compile the server inside it
	@echo "ready: the package and the command marlpit are in $(VENV)"

demo: $(VENV)/.ready server ## a team learns from credited rewards what it doesn't from the sparse one; about 3 minutes
	$(PY) $(CLIENT)/examples/demo.py

test: test-go test-python ## go vet, Go tests, Python tests

test-go: ## the Go half of the tests
	$(GO) vet ./...
	$(GO) test ./...

test-python: $(VENV)/.ready server ## the Python half, against a freshly compiled server
	cd $(CLIENT) && $(abspath $(PY)) -m pytest -q

lint: $(VENV)/.ready ## gofmt, go vet, golangci-lint, ruff
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	  if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(GOLANGCI) run
	$(PY) -m ruff check $(CLIENT)
	$(PY) -m ruff format --check $(CLIENT)

bench: $(VENV)/.ready $(PEER)/.ready build server ## speed, as ratios measured in one run
	bin/marlpit bench
	$(PY) $(CLIENT)/bench/bench_step.py --peer $(PEER)/bin/python
	$(PY) $(CLIENT)/bench/bench_minute.py

bench-train: $(TRAIN)/.ready server ## frames BenchMARL trains on per CPU-second; installs torch, 5 GB, first
	OMP_NUM_THREADS=1 PYTHONPATH=$(CLIENT)/src $(TRAIN)/bin/python $(CLIENT)/bench/bench_train.py

docs: $(VENV)/.ready build ## rewrite the generated pages and the client's list of worlds
	bin/marlpit docs
	$(PY) $(CLIENT)/tools/apidoc.py

golden: ## rewrite golden playthroughs and text cases; read the diff
	@for dir in $$(grep -rlE '(envtest\.)?(Golden|Cases)\(t, ' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
	  $(GO) test "$$dir" -update || exit 1; done

models: build ## fit the shipped models once more to the recorded votes in models/votes
	@set -e; for packed in models/votes/*.db.gz; do \
	  id=$$(basename $$packed .db.gz); folder=$$(mktemp -d); \
	  gunzip -c $$packed > $$folder/votes.db; \
	  bin/marlpit fit --db $$folder/votes.db --out models/$$id.credit --name default-$$id; \
	  rm -r $$folder; \
	done

wheels: $(VENV)/.ready ## wheels with the server inside, for Linux, macOS and Windows, into dist/
	@mkdir -p dist
	@for target in $(WHEELS); do echo "wheel for $$target"; \
	  MARLPIT_WHEEL_TARGET=$$target $(PY) -m build --wheel --outdir dist $(CLIENT) || exit 1; done
	@ls -l dist

build: ## compile bin/marlpit
	$(GO) build -trimpath -o bin/marlpit .

clean: ## remove what the other targets made
	rm -rf $(VENV) bin dist demo-out $(CLIENT)/src/marlpit/bin

# The server inside the editable install. Go's build cache makes a repeat quick.
server: $(VENV)/.ready
	$(GO) build -trimpath -o $(SERVER) .

$(VENV)/.ready: $(CLIENT)/pyproject.toml
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Python 3.10 or newer with venv is needed (on Debian: python3-venv); PYTHON=… names another one"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q --upgrade pip
	$(PY) -m pip install -q -e '$(CLIENT)[ablate,demo,dev]'
	@touch $@

$(TRAIN)/.ready: $(LOCK) $(VENV)/.ready
	$(PY) -m pip install -q uv
	$(PY) -m uv venv -q --clear --python 3.11 $(TRAIN)
	$(PY) -m uv pip sync -q --python $(TRAIN) $(LOCK)
	@touch $@

$(PEER)/.ready: $(VENV)/.ready
	$(PYTHON) -m venv $(PEER)
	$(PEER)/bin/python -m pip install -q openenv
	@touch $@
