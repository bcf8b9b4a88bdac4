# Two commands do everything: `make up` (see it work) and `make test` (see it hold).
# Our Node comes with the packages, so node_modules/.bin goes first.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
packages := node_modules/.package-lock.json

.PHONY: up down check test test-oldest soak bench release fmt clean

# The embedded API with the controllers on it, in the background; `make down` ends it.
up: $(packages)
	@./berth up --background $(if $(PORT),--port $(PORT))

down: $(packages)
	@./berth down

# No root, no Go, about two minutes.
check: $(packages)
	biome check --error-on-warnings .
	tsc -b
	node dist/main.js test examples/scenarios
	vitest run

# Everything that this machine can do, five suites at a time; each says `ran` or `not run: why`. 30 to
# 45 minutes on two cores; the first time, with Kubernetes to build, up to an hour.
test: check
	node test/suites.ts

# The same on the oldest Kubernetes that is supported, which is built once, in about ten minutes.
test-oldest: $(packages)
	BERTH_KUBE_VERSION=1.29.15 vitest run --config test/kube/vitest.config.ts

# Seeds that nobody has tried; minutes to hours, as BERTH_SOAK_RUNS and BERTH_SOAK_KILLS say.
soak: $(packages)
	vitest run --config test/soak/vitest.config.ts

bench: $(packages)
	node bench/run.ts
	node bench/kube/run.ts
	node bench/openstack/run.ts
	node bench/store/run.ts
	node bench/lab/failover.ts
	node bench/bgp/page.ts

# npm package, chart, image archives for two processors, manifest and checksums, in release/. Needs Go
# for kubectl, and for the images Debian's tools (dpkg-deb, gpgv, xz) and its mirror.
release: $(packages)
	node deploy/release/release.ts

fmt: $(packages)
	biome check --write .

clean:
	rm -rf dist node_modules

$(packages): package.json package-lock.json
	@command -v npm >/dev/null 2>&1 || { \
	  echo "npm is missing: install Node 20 or newer (Debian: apt-get install nodejs npm)" >&2; exit 1; }
	npm install --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@
