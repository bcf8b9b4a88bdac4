#!/bin/sh
# Builds the pinned helm once, into the user's cache, and prints its path.
# What goes wrong is said on the last line of standard error.
set -eu
version=3.22.0
helm=${XDG_CACHE_HOME:-$HOME/.cache}/berth/helm-$version
if [ ! -x "$helm" ]; then
  command -v go >/dev/null || { echo 'no Go' >&2; exit 1; }
  mkdir -p "$(dirname -- "$helm")"
  # Two builds at once would each compile everything: one waits, and finds what the other has built.
  [ -n "${BERTH_BUILDING-}" ] || BERTH_BUILDING=1 exec flock "$(dirname -- "$helm")/build.lock" sh "$0" "$@"
  # Built beside its place and moved there, so that a build cut short leaves nothing that runs.
  GOTOOLCHAIN=local GOFLAGS= GOBIN="$helm.$$" go install -trimpath \
    -ldflags "-s -w -X helm.sh/helm/v3/internal/version.version=v$version" \
    "helm.sh/helm/v3/cmd/helm@v$version" >&2
  mv "$helm.$$/helm" "$helm"
  rmdir "$helm.$$"
fi
printf '%s\n' "$helm"
