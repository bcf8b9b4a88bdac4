#!/bin/sh
# Builds the judge once, into the user's cache, and prints its path.
# What goes wrong is said on the last line of standard error.
set -eu
version=2.2.62
judge=${XDG_CACHE_HOME:-$HOME/.cache}/berth/nmstate-judge-$version
if [ ! -x "$judge" ]; then
  command -v cargo >/dev/null || { echo 'no cargo' >&2; exit 1; }
  mkdir -p "$(dirname -- "$judge")"
  # Two builds at once would each compile everything: one waits, and finds what the other has built.
  [ -n "${BERTH_BUILDING-}" ] || BERTH_BUILDING=1 exec flock "$(dirname -- "$judge")/build.lock" sh "$0" "$@"
  here=$(dirname -- "$0")
  # Built beside its place and moved there, so that a build cut short leaves nothing that runs.
  cp -r "$here" "$judge.$$"
  cargo build --quiet --manifest-path "$judge.$$/Cargo.toml" >&2
  mv "$judge.$$/target/debug/judge" "$judge"
  rm -rf "$judge.$$"
fi
printf '%s\n' "$judge"
