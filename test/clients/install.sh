#!/usr/bin/env bash
# Installs the client libraries once and keeps them outside the repository, by version; prints their
# folder, in which `node` has the one for Node and `python` the environment of the one for Python.
# What goes wrong is said on the last line of standard error.
set -euo pipefail

node_client=2.0.1
python_client=37.0.2
folder=${XDG_CACHE_HOME:-$HOME/.cache}/berth/clients-$node_client-$python_client
# Python's is a link, which leads nowhere once that Python is gone.
is_there() { [[ -d $folder/node && -x $folder/python/bin/python ]]; }
if is_there; then
  echo "$folder"
  exit
fi

fail() {
  echo "$1" >&2
  exit 1
}
command -v npm >/dev/null || fail 'no npm'
command -v python3 >/dev/null || fail 'no python3'

mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$new"' EXIT

{
  npm install --prefix "$new/node" --no-save --no-package-lock --no-audit --no-fund \
    --ignore-scripts --loglevel=error "@kubernetes/client-node@$node_client" ||
    fail 'npm cannot install @kubernetes/client-node'
  # Debian has the module in a package of its own.
  if ! python3 -c 'import ensurepip' 2>/dev/null && [[ $EUID == 0 ]] && command -v apt-get; then
    # Other suites install beside this one, and apt-get fails where another one runs.
    exec 9>"$(dirname "$folder")/install.lock"
    flock 9
    apt-get update -qq
    apt-get install -qq -y python3-venv
  fi
  python3 -m venv "$new/python" || fail 'python3 makes no environment: python3-venv is missing'
  "$new/python/bin/python" -m pip install --quiet --disable-pip-version-check \
    "kubernetes==$python_client" || fail 'pip cannot install kubernetes'
} >&2

# Whoever was faster has the same.
is_there || rm -rf "$folder"
mv -T "$new" "$folder" 2>/dev/null || true
echo "$folder"
