#!/bin/sh
# Builds the pinned kubectl once, into the user's cache, and prints its path.
# What goes wrong is said on the last line of standard error.
set -eu
engine=$(CDPATH='' cd -- "$(dirname -- "$0")/engine" && pwd)
# k8s.io/kubectl v0.36.3 is kubectl 1.36.3.
version=1.$(sed -n 's/^.*k8s\.io\/kubectl v0\.\([0-9.]*\)$/\1/p' "$engine/go.mod")
kubectl=${XDG_CACHE_HOME:-$HOME/.cache}/berth/kubectl-$version
if [ ! -x "$kubectl" ]; then
  command -v go >/dev/null || { echo 'no Go' >&2; exit 1; }
  mkdir -p "$(dirname -- "$kubectl")"
  # Two builds at once would each compile everything: one waits, and finds what the other has built.
  [ -n "${BERTH_BUILDING-}" ] || BERTH_BUILDING=1 exec flock "$(dirname -- "$kubectl")/build.lock" sh "$0" "$@"
  # Built beside its place and moved there, so that a build cut short leaves nothing that runs.
  (cd "$engine" && GOTOOLCHAIN=local GOFLAGS='-mod=readonly -buildvcs=false' go build -trimpath \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" -o "$kubectl.$$" .) >&2
  mv "$kubectl.$$" "$kubectl"
fi
printf '%s\n' "$kubectl"
