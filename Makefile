# Two commands do everything, on a bare machine too: `make demo` and `make test`.

PYTHON ?= python3
JOBS ?= 2
UV ?= uv

BIN := .venv/bin
RUN := $(BIN)/python -m
PIP_INSTALL := pip --disable-pip-version-check install --quiet --require-hashes
PIP := $(RUN) $(PIP_INSTALL)
# Behind a proxy that opens TLS, node must believe the machine's certificates, as pip is told to.
NODE := PATH="$(CURDIR)/$(BIN):$$PATH" NODE_OPTIONS=--use-system-ca NODE_DISABLE_COMPILE_CACHE=1
BENCHMARKS ?= competence agreement merits scale corpus million saving phone hot_path potato log replaying prediction coverage judges mixed allocation console machines backing_up banks crowd
APPS := config annotation writing judging analysis
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header

# A stamp is the file that says that a step is done; it is older than a lock that has changed.
VENV := .venv/.made
RUNTIME := .venv/.runtime
DOCS := .venv/.docs
DEV := .venv/.dev
BENCH := .venv-bench/.made
MODULES := node_modules/.made

.PHONY: help demo docs test quick check bench install format messages lock

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' Makefile

demo: $(RUNTIME) ## Show Crowdwright with a study that has run; needs nothing but Python
	$(BIN)/python manage.py demo

docs: $(DOCS) ## Build the documentation site, which the server has under /help/
	@rm -rf build/help
	$(BIN)/sphinx-build -b dirhtml --jobs $(JOBS) --fail-on-warning --quiet -d build/doctrees docs build/help

test: $(DEV) $(MODULES) ## Run every test, on its own PostgreSQL, Redis, worker and browser
	$(RUN) pytest -n $(JOBS) --dist worksteal
	$(RUN) pytest -n $(JOBS) --dist worksteal --storage=sqlite -m storage
	@if ls tests/js/*.test.js >/dev/null 2>&1; then $(NODE) node --test tests/js/*.test.js; fi

quick: $(DEV) ## Run quick tests: of a folder (ROOM=annotation/fieldwork/work), or of what differs from main
	@$(RUN) tests.quick $(ROOM)

check: $(DEV) $(MODULES) ## Check style, types, import rules, migrations and deployment settings
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) djhtml --check --tabwidth 2 templates
	@# Django tags cannot be broken: a line may be longer if it is one tag and nothing else.
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}$$' templates | grep -vE ':[0-9]+: *\{%[^%]*%\}$$' \
	|| { echo "templates: more than 120 characters in a line"; exit 1; }
	$(RUN) mypy $(APPS)
	$(BIN)/lint-imports
	$(NODE) node node_modules/eslint/bin/eslint.js --max-warnings 0 .
	$(NODE) node tests/styles/check.js
	$(NODE) node tests/prose/check.js
	$(RUN) tests.prose.asserted_messages
	@awk 'length($$0) > 200 { print FILENAME ":" NR ": more than 200 characters"; long = 1 } END { exit long }' CHANGELOG.md
	@set -e; var=$$(mktemp -d); trap 'rm -rf "$$var"' EXIT; export CROWDWRIGHT_VAR="$$var"; \
	echo manage.py makemigrations --check; \
	$(BIN)/python manage.py makemigrations --check --dry-run; \
	echo manage.py check --deploy; \
	SECRET_KEY="$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(60))')" \
	PUBLIC_URL=https://crowdwright.example.org ALLOWED_HOSTS=crowdwright.example.org \
	$(BIN)/python -W ignore manage.py check --deploy --fail-level WARNING

bench: $(BENCH) ## Measure what we claim about speed, beside the peers: benchmarks/RESULTS.md
	@set -e; for name in $(BENCHMARKS); do .venv-bench/bin/python -m benchmarks.$$name; done

install: $(DEV) $(MODULES) ## Prepare .venv from the lock, with what development needs

format: $(DEV) $(MODULES) ## Put the code into its shape
	$(RUN) ruff check --fix .
	$(RUN) ruff format .
	$(RUN) djhtml --tabwidth 2 templates
	$(NODE) node node_modules/eslint/bin/eslint.js --fix .

messages: $(DEV) ## Bring the catalogues of translations up to date with the code: locale/
	$(RUN) config.catalogues

lock: $(DEV) ## Lock what pyproject.toml and package.json name; UPGRADE=--upgrade takes newer versions
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: type \`pip install uv\`, or say where it is: make lock UV=/path/to/uv"; exit 1; }
	$(LOCK) $(UPGRADE) pyproject.toml -o requirements.txt
	$(LOCK) $(UPGRADE) pyproject.toml --group docs -c requirements.txt -o requirements-docs.txt
	$(LOCK) $(UPGRADE) pyproject.toml --group dev -c requirements-docs.txt -o requirements-dev.txt
	$(LOCK) $(UPGRADE) pyproject.toml --group bench -c requirements-dev.txt -o requirements-bench.txt
	$(NODE) npm $(if $(UPGRADE),update,install) --ignore-scripts --package-lock-only

$(VENV):
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here: install Python 3.11 or newer, or say where it is: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Crowdwright needs Python 3.11 or newer, and $$($(PYTHON) --version) is older: say where a newer one is: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) --no-print-directory python-venv
	$(PYTHON) -m venv .venv
	@touch $@

# Debian keeps a part of Python in a package of its own.
.PHONY: python-venv
python-venv:
	@if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	echo "$(PYTHON) cannot make a virtual environment: type \`sudo apt-get install python3-venv\`, then this again"; exit 1; fi
	apt-get -q update
	DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends python3-venv

$(RUNTIME): requirements.txt $(VENV)
	$(PIP) -r requirements.txt
	@touch $@

$(DOCS): requirements-docs.txt $(VENV)
	$(PIP) -r requirements-docs.txt
	@touch $(RUNTIME) $@

$(DEV): requirements-dev.txt $(VENV)
	$(PIP) -r requirements-dev.txt
	@touch $(RUNTIME) $(DOCS) $@

# The peers bring so much that development does without them.
$(BENCH): requirements-bench.txt $(VENV)
	$(BIN)/python -m venv .venv-bench
	.venv-bench/bin/python -m $(PIP_INSTALL) -r requirements-bench.txt
	@touch $@

$(MODULES): package-lock.json .npmrc $(DEV)
	$(NODE) npm ci --ignore-scripts
	@touch $@
