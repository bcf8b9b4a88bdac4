#!/usr/bin/env bash
# Builds the engine once and keeps it outside the repository, by version; prints its folder.
# KUBEBUILDER_ASSETS names a folder that has the programs already.
set -euo pipefail

version=1.36.3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${KUBEBUILDER_ASSETS:-${XDG_CACHE_HOME:-$HOME/.cache}/berth/kube-$version}
if [[ -x $folder/kube-apiserver && -x $folder/kube-controller-manager && -x $folder/etcd ]]; then
  echo "$folder"
  exit
fi

export GOTOOLCHAIN=local GOFLAGS=-mod=readonly
mkdir -p "$folder"
flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
for program in kube-apiserver kube-controller-manager; do
  (cd "$here" && go build -ldflags "$flags" -o "$folder/$program.new" "./$program")
  mv "$folder/$program.new" "$folder/$program"
done
(cd "$here/etcd" && go build -ldflags '-s -w' -o "$folder/etcd.new" .)
mv "$folder/etcd.new" "$folder/etcd"
echo "$folder"
