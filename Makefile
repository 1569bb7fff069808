# Headjudge: a fresh machine needs only Python 3.11 or later (with venv); `make demo` and `make test` install the rest.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager
ALL := .[server,dev]
.DEFAULT_GOAL := help
unexport PYTHONDONTWRITEBYTECODE # the tests start many processes, and compiled code lets them start quickly
.PHONY: help demo wheel serve test quick lint bench coverage soak load cases messages pictures backup audit upgrade lowest

help: ## list these targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / — /'

.venv/site: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Headjudge needs Python 3.11 or later: say which with make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
	@touch $@

.venv/tests: .venv/site
	$(INSTALL) --editable '$(ALL)'
	@touch $@

upgrade: .venv/site ## update every dependency to the newest release that pyproject.toml allows
	$(INSTALL) --editable '$(if $(wildcard .venv/tests),$(ALL),.)'

demo: .venv/site ## install, fill a demo, serve it on this machine and print the sign-ins
	$(RUN) demo $(ARGS)

wheel: .venv/site ## build dist/headjudge-….whl, which pip and pipx install anywhere
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

serve: .venv/site ## serve your events to the shop's network; prints the address and a QR code
	$(RUN) migrate --verbosity 0
	$(RUN) serve --lan $(ARGS)

# Four workers on two cores: two of them drive browsers, and mostly wait.
# A test that never ends fails after ten minutes; the slowest takes one.
test: .venv/tests ## run all tests (without a browser or PostgreSQL, theirs are skipped with a reason)
	$(BIN)/python -m pytest -n 4 --timeout 600 $(ARGS)

quick: .venv/tests ## run the tests of the engine and the pure modules, with few examples per property
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n 2 -m 'pure and not soak' tests/rules tests/events $(ARGS)

lint: .venv/tests ## run ruff, mypy, the import contracts and the check for missing migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/lint-imports
	$(RUN) makemigrations --check --dry-run --verbosity 0

bench: .venv/tests ## measure rules, pairing and scoring
	$(BIN)/python -m pytest tests/bench --override-ini addopts="" -p no:cacheprovider --benchmark-only $(ARGS)

coverage: .venv/tests ## run the engine's own tests; fails if they cover less than 98% of its branches
	$(BIN)/python -m pytest tests/rules/engine -p no:cacheprovider -q --cov=rules/engine --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=98 $(ARGS)

backup: .venv/site ## save the whole installation as one verified file in DATA_DIR/backups
	$(RUN) backup

audit: .venv/tests ## look for known vulnerabilities in the dependencies
	.ci/audit $(BIN)/pip-audit

lowest: ## test the site with the lowest versions that pyproject.toml allows, in .venv-lowest
	.ci/lowest

soak: .venv/tests ## run the long tests, and search for new counterexamples to every property
	HYPOTHESIS_PROFILE=searching $(BIN)/python -m pytest -m 'soak or hypothesis' --override-ini addopts="" --ignore tests/bench --ignore tests/load $(ARGS)

load: .venv/tests ## measure a full hall and a whole season on their own servers (half an hour)
	$(BIN)/python -m tests.load
	$(BIN)/python -m tests.load.lists

cases: .venv/site ## run the shared acceptance cases, if they are beside this checkout
	@test -d ../shared/cases && $(PYTHON) ../shared/run_cases.py --python $(BIN)/python ../shared/cases/*.jsonl || echo "No shared cases beside this checkout: skipped."

messages: .venv/tests ## collect the texts to translate (needs gettext), and compile the translations
	$(RUN) makemessages --locale fr --no-location --no-wrap --ignore .venv --ignore tests
	$(RUN) compilemessages --locale fr --ignore .venv

pictures: .venv/tests ## redraw the documentation's pictures
	$(BIN)/python -m pytest tests/browser/pictures.py -q
