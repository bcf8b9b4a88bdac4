#!/usr/bin/env bash
# Builds the engine once and keeps it outside the repository, by version; prints its folder.
# KUBEBUILDER_ASSETS names a folder that has the programs already. BERTH_KUBE_VERSION asks for
# another version than the newest: each has a .mod file here that is read in place of go.mod.
set -euo pipefail

newest=1.36.3
version=${BERTH_KUBE_VERSION:-$newest}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${KUBEBUILDER_ASSETS:-${XDG_CACHE_HOME:-$HOME/.cache}/berth/kube-$version}
if [[ -x $folder/kube-apiserver && -x $folder/kube-controller-manager && -x $folder/etcd ]]; then
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
# Named after this process: two builds at once must not move each other's programs.
flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
for program in kube-apiserver kube-controller-manager; do
  (cd "$here" && go build -modfile "$module" -ldflags "$flags" -o "$folder/$program.$$" "./$program")
  mv "$folder/$program.$$" "$folder/$program"
done
(cd "$here/etcd" && go build -ldflags '-s -w' -o "$folder/etcd.$$" .)
mv "$folder/etcd.$$" "$folder/etcd"
echo "$folder"
