#!/usr/bin/env bash
# Sees to it that the programs are there which the suites here run, or those that are named, on
# Debian by installing them. What is missing is said on the last line of standard error.
set -euo pipefail

declare -A packages=(
  [ip]=iproute2 [nft]=nftables [sysctl]=procps [arping]=arping [ndisc6]=ndisc6
  [ping]=iputils-ping [curl]=curl [tcpdump]=tcpdump
  [strace]=strace [setpriv]=util-linux [mount]=mount [vtysh]=frr [birdc]=bird2
)
[[ $# -gt 0 ]] || set -- ip nft sysctl arping ndisc6 ping curl tcpdump
wanted=("$@")
export PATH=$PATH:/usr/sbin:/sbin
missing() {
  for program in "${wanted[@]}"; do
    command -v "$program" >/dev/null || echo "${packages[$program]}"
  done
}

needed=$(missing | sort)
if [[ -n $needed && $EUID == 0 ]] && command -v apt-get >/dev/null; then
  {
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $needed
  } >&2 || true
  needed=$(missing | sort)
fi
if [[ -n $needed ]]; then
  echo "packages are missing: ${needed//$'\n'/ }" >&2
  exit 1
fi
