#!/usr/bin/env bash
# Builds the engine once and keeps it outside the repository, by version; prints its folder.
# Arguments name further programs to have beside it: kube-proxy, kube-scheduler.
# KUBEBUILDER_ASSETS names a folder that has the programs already. BERTH_KUBE_VERSION asks for
# another version than the newest: each has a .mod file here that is read in place of go.mod.
set -euo pipefail

newest=1.36.3
version=${BERTH_KUBE_VERSION:-$newest}
# The further ones are of the newest version alone.
[[ $# -eq 0 ]] || version=$newest
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${KUBEBUILDER_ASSETS:-${XDG_CACHE_HOME:-$HOME/.cache}/berth/kube-$version}
missing=()
for program in kube-apiserver kube-controller-manager etcd "$@"; do
  [[ -x $folder/$program ]] || missing+=("$program")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "$folder"
  exit
fi

module=go.mod
[[ $version == "$newest" ]] || module=kube-$version.mod
if [[ ! -f $here/$module ]]; then
  echo "Kubernetes $version: there is no test/kube/engine/$module" >&2
  exit 1
fi

export GOTOOLCHAIN=local GOFLAGS='-mod=readonly -buildvcs=false'
mkdir -p "$folder"
# Two builds at once would each compile everything: one waits, and finds what the other has built.
[[ -n ${BERTH_BUILDING-} ]] || BERTH_BUILDING=1 exec flock "$(dirname "$folder")/build.lock" bash "$0" "$@"
flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
for program in "${missing[@]}"; do
  # Named after this process: two builds at once must not move each other's programs.
  built=$folder/$program.$$
  if [[ -f $here/$program/go.mod ]]; then
    (cd "$here/$program" && go build -ldflags "$flags" -o "$built" .)
  else
    (cd "$here" && go build -modfile "$module" -ldflags "$flags" -o "$built" "./$program")
  fi
  mv "$built" "$folder/$program"
done
echo "$folder"
