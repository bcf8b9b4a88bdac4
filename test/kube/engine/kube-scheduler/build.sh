#!/usr/bin/env bash
# Builds kube-scheduler once, beside the programs of ../build.sh, and prints the folder of them all.
set -euo pipefail

version=1.36.3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(env -u BERTH_KUBE_VERSION bash "$here/../build.sh")
if [[ ! -x $folder/kube-scheduler ]]; then
  export GOTOOLCHAIN=local GOFLAGS='-mod=readonly -buildvcs=false'
  flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
  (cd "$here/.." && go build -ldflags "$flags" -o "$folder/kube-scheduler.$$" ./kube-scheduler)
  mv "$folder/kube-scheduler.$$" "$folder/kube-scheduler"
fi
echo "$folder"
