# Two commands do everything: `make up` (see it work) and `make test` (see it hold).
# Our Node comes with the packages, so node_modules/.bin goes first.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
packages := node_modules/.package-lock.json

.PHONY: up check test soak bench fmt clean

up: $(packages)
	@./berth plan -f examples/cluster; status=$$?; \
	if [ $$status -ne 0 ] && [ $$status -ne 2 ]; then exit $$status; fi; \
	echo; echo "That was 'berth plan -f examples/cluster'. Next, what would an edit do:"; \
	echo "  ./berth plan -f examples/change --against examples/cluster"; \
	echo "  ./berth explain service openstack2/rabbitmq-cell1 -f examples/cluster"; \
	echo "  ./berth lint -f examples/seed-conflicts"

# No root, no Go, about a minute.
check: $(packages)
	biome format .
	biome lint --error-on-warnings .
	tsc -b
	node dist/main.js test examples/scenarios
	vitest run

# Everything that this machine can do; each further suite says `ran` or `not run: why`.
test: check
	vitest run --config test/kubectl/vitest.config.ts
	vitest run --config test/kube/vitest.config.ts

soak: $(packages)
	vitest run --config test/soak/vitest.config.ts

bench: $(packages)
	node bench/run.ts

fmt: $(packages)
	biome check --write .

clean:
	rm -rf dist node_modules

$(packages): package.json package-lock.json
	@command -v npm >/dev/null 2>&1 || { \
	  echo "npm is missing: install Node 20 or newer (Debian: apt-get install nodejs npm)" >&2; exit 1; }
	npm install --no-audit --no-fund --loglevel=error
	@touch $@
