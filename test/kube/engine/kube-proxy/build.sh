#!/usr/bin/env bash
# Builds kube-proxy once, beside the programs of ../build.sh, and prints the folder of them all.
set -euo pipefail

version=1.36.3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(env -u BERTH_KUBE_VERSION bash "$here/../build.sh")
if [[ ! -x $folder/kube-proxy ]]; then
  export GOTOOLCHAIN=local GOFLAGS='-mod=readonly -buildvcs=false'
  flags="-s -w -X k8s.io/component-base/version.gitVersion=v$version"
  (cd "$here" && go build -ldflags "$flags" -o "$folder/kube-proxy.new" .)
  mv "$folder/kube-proxy.new" "$folder/kube-proxy"
fi
echo "$folder"
