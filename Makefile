# Headjudge: `make demo` and `make test` are all that a fresh machine needs (Python 3.11 or later, with venv).
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager
.DEFAULT_GOAL := help
unexport PYTHONDONTWRITEBYTECODE # the many processes of the tests start quickly where compiled code is kept
.PHONY: help demo serve test quick lint bench coverage soak load cases messages pictures backup audit upgrade lowest

help: ## say what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / — /'

.venv/site: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Headjudge needs Python 3.11 or later: say which with make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
	@touch $@

.venv/tests: .venv/site
	$(INSTALL) --editable '.[dev]'
	@touch $@

upgrade: .venv/site ## bring every dependency to its newest release that pyproject.toml allows: security fixes too
	$(INSTALL) --editable '.$(if $(wildcard .venv/tests),[dev])'

demo: .venv/site ## install, fill a living demo, serve it on this machine and say how to sign in
	$(RUN) migrate --verbosity 0
	$(RUN) demo
	$(RUN) serve

serve: .venv/site ## serve what is there to the shop's network: shows the address and a QR code
	$(RUN) migrate --verbosity 0
	$(RUN) serve --lan $(ARGS)

# Three workers: tests in a browser mostly wait, and the processor has time for others.
test: .venv/tests ## run all tests (browser and PostgreSQL tests skip, with a reason, where there is none)
	$(BIN)/python -m pytest -n 3 --dist loadgroup $(ARGS)

quick: .venv/tests ## run the tests of the engine and the pure modules, their laws with few examples
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n 2 --dist loadgroup -m 'pure and not soak' tests/rules tests/events $(ARGS)

lint: .venv/tests ## ruff, mypy, import contracts, missing migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(RUN) makemigrations --check --dry-run --verbosity 0

bench: .venv/tests ## measure rules, pairing and scoring
	$(BIN)/python -m pytest tests/bench --override-ini addopts="" -p no:cacheprovider --benchmark-only $(ARGS)

coverage: .venv/tests ## run the engine's own tests; fails where they leave more than 2% of its branches untried
	$(BIN)/python -m pytest tests/rules/engine -p no:cacheprovider -q --cov=rules/engine --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=98 $(ARGS)

backup: .venv/site ## keep the whole installation as one verified file in DATA_DIR/backups
	$(RUN) backup

audit: .venv/tests ## look for known faults of the dependencies
	.ci/audit $(BIN)/pip-audit

lowest: ## test the site with the lowest versions that pyproject.toml allows, in .venv-lowest
	.ci/lowest

soak: .venv/tests ## the long runs, and every law searched with new examples
	HYPOTHESIS_PROFILE=searching $(BIN)/python -m pytest -m 'soak or hypothesis' --override-ini addopts="" --ignore tests/bench --ignore tests/load $(ARGS)

load: .venv/tests ## put a full hall and a season on servers of their own, and measure (half an hour)
	$(BIN)/python -m tests.load.hall
	$(BIN)/python -m tests.load.hall --postgresql
	$(BIN)/python -m tests.load.day
	$(BIN)/python -m tests.load.day --postgresql
	$(BIN)/python -m tests.load.lists

cases: .venv/site ## run the shared acceptance cases, where they are
	@test -d ../shared/cases && $(PYTHON) ../shared/run_cases.py --python $(BIN)/python ../shared/cases/*.jsonl || echo "No shared cases beside this checkout: skipped."

messages: .venv/tests ## gather the texts to translate (needs gettext), and compile what is translated
	$(RUN) makemessages --locale fr --no-location --no-wrap --ignore .venv --ignore tests
	$(RUN) compilemessages --locale fr --ignore .venv

pictures: .venv/tests ## draw the documents' pictures anew
	$(BIN)/python -m pytest tests/browser/pictures.py -q
