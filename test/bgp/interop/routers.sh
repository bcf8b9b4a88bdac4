#!/usr/bin/env bash
# Sees to it that the routers of this suite are there: those of this Debian, those of the next one in
# a root of their own, and GoBGP from the Go module proxy. Prints one line for each: its name and where
# it is, or its name, `-` and why not.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/berth/routers
mkdir -p "$cache"
# Suites run side by side: one installs, and the others find what it has installed.
[[ -n ${BERTH_INSTALLING-} ]] ||
  BERTH_INSTALLING=1 exec flock "$(dirname "$cache")/install.lock" bash "$0" "$@"
export PATH=$PATH:/usr/sbin:/sbin DEBIAN_FRONTEND=noninteractive

declare -A packages=([tshark]=tshark [tcpdump]=tcpdump [vtysh]=frr [birdc]=bird2 [bgpctl]=openbgpd
  [exabgp]=exabgp [debootstrap]=debootstrap)
missing=()
for program in "${!packages[@]}"; do
  command -v "$program" >/dev/null || missing+=("${packages[$program]}")
done
# FRR's reload tool, which is not on the PATH.
[[ -e /usr/lib/frr/frr-reload.py ]] || missing+=(frr-pythontools)
if [[ ${#missing[@]} -gt 0 ]]; then
  { apt-get update -qq && apt-get install -qq -y --no-install-recommends "${missing[@]}"; } >&2 || true
fi

here() { if command -v "$2" >/dev/null; then echo "$1 /"; else echo "$1 - no package"; fi; }
here frr-8.4 vtysh
here bird-2.0 birdc
here openbgpd-7.7 bgpctl
here exabgp-4.2 exabgp

root=$cache/trixie
if [[ ! -e $root/.complete ]]; then
  # One that was stopped half-way may have left the kernel's files there.
  while mountpoint -q "$root/proc"; do umount "$root/proc"; done
  rm -rf --one-file-system "$root"
  {
    debootstrap --variant=minbase trixie "$root" &&
      chroot "$root" apt-get update -qq &&
      chroot "$root" apt-get install -qq -y --no-install-recommends frr bird3 &&
      touch "$root/.complete"
  } >&2 || true
fi
if [[ -e $root/.complete && ! -e $root/usr/lib/frr/frr-reload.py ]]; then
  chroot "$root" apt-get install -qq -y --no-install-recommends frr-pythontools >&2 || true
fi
for router in frr-10.3 bird-3.1; do
  if [[ -e $root/.complete ]]; then echo "$router $root"; else echo "$router - no debootstrap"; fi
done

gobgp=$cache/gobgp-4.8.0
if [[ ! -x $gobgp/gobgpd ]] && command -v go >/dev/null; then
  module=github.com/osrg/gobgp/v4
  GOBIN=$gobgp.new GOTOOLCHAIN=local go install "$module/cmd/gobgp@v4.8.0" "$module/cmd/gobgpd@v4.8.0" >&2 &&
    mv "$gobgp.new" "$gobgp" || true
fi
if [[ -x $gobgp/gobgpd ]]; then echo "gobgp-4.8 $gobgp"; else echo "gobgp-4.8 - no Go, or no module proxy"; fi
