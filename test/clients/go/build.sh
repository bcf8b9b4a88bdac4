#!/bin/sh
# Builds the programs in Go once, into the user's cache, and prints the path.
# What goes wrong is said on the last line of standard error.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
sum=$(cat "$here"/*.go "$here"/go.* | sha256sum | cut -c 1-12)
program=${XDG_CACHE_HOME:-$HOME/.cache}/berth/go-clients-$sum
if [ ! -x "$program" ]; then
  command -v go >/dev/null || { echo 'no Go' >&2; exit 1; }
  mkdir -p "$(dirname -- "$program")"
  # Two builds at once would each compile everything: one waits, and finds what the other has built.
  [ -n "${BERTH_BUILDING-}" ] || BERTH_BUILDING=1 exec flock "$(dirname -- "$program")/build.lock" sh "$0" "$@"
  (cd "$here" && GOTOOLCHAIN=local GOFLAGS='-mod=readonly -buildvcs=false' \
    go build -trimpath -ldflags '-s -w' -o "$program.$$" .) >&2
  mv "$program.$$" "$program"
fi
printf '%s\n' "$program"
