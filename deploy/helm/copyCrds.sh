#!/bin/sh
# Copies the definitions of deploy/crds into the chart, which can hold only what lies in its folder;
# deploy/kustomize takes them from there. A test holds the copies equal.
set -eu
cd -- "$(dirname -- "$0")/berth/files/crds"
for folder in berth metallb; do
  rm -f "$folder"/*.yaml
  cp ../../../../crds/"$folder".*.yaml "$folder"
  {
    echo 'apiVersion: kustomize.config.k8s.io/v1beta1'
    echo 'kind: Kustomization'
    echo 'resources:'
    (cd "$folder" && ls -- *_*.yaml) | sed 's/^/  - /'
  } > "$folder/kustomization.yaml"
done
mkdir -p ../openstack
rm -f ../openstack/*.yaml
cp ../../../../openstack/crds/*.yaml ../openstack
