#!/usr/bin/env bash
# Sees to it that the programs are there which the suites here run, or those that are named, on
# Debian by installing them. What is missing, or of another kind than the suites need, is said on
# the last line of standard error.
set -euo pipefail

declare -A packages=(
  [ip]=iproute2 [nft]=nftables [sysctl]=procps [arping]=arping [ndisc6]=ndisc6
  [ping]=iputils-ping [curl]=curl [tcpdump]=tcpdump
  [tshark]=tshark [strace]=strace [setpriv]=util-linux [mount]=mount [vtysh]=frr [birdc]=bird2
  [static]=containernetworking-plugins [dnsmasq]=dnsmasq-base [dig]=bind9-dnsutils [dnsperf]=dnsperf
  [zsh]=zsh [fish]=fish
)
# Several programs share these names, with other options: what the right one says of itself.
declare -A asks=(
  [arping]='-V' [ip]='-V' [ping]='-V' [sysctl]='--version' [setpriv]='--version'
  [mount]='--version' [nft]='--version'
)
declare -A says=(
  [arping]='Thomas Habets' [ip]='iproute2' [ping]='iputils' [sysctl]='procps'
  [setpriv]='util-linux' [mount]='util-linux' [nft]='nftables v(1|0\.9)'
)
[[ $# -gt 0 ]] || set -- ip nft sysctl arping ndisc6 ping curl tcpdump
wanted=("$@")
export PATH=$PATH:/usr/sbin:/sbin:/usr/lib/cni

# What a program says instead, if it is another one than the suites need.
other() {
  [[ -n ${says[$1]:-} ]] || return 0
  local said
  said=$("$1" "${asks[$1]}" 2>&1 </dev/null || true)
  grep -qE -- "${says[$1]}" <<<"$said" || grep -m 1 . <<<"$said" || echo 'nothing'
}
missing() {
  for program in "${wanted[@]}"; do
    if ! command -v "$program" >/dev/null || [[ -n $(other "$program") ]]; then
      echo "${packages[$program]}"
    fi
  done
}
wrong() {
  for program in "${wanted[@]}"; do
    path=$(command -v "$program") || continue
    said=$(other "$program")
    [[ -z $said ]] || echo "$path is not the $program of package ${packages[$program]} (it says: $said)"
  done
}

needed=$(missing | sort -u)
if [[ -n $needed && $EUID == 0 ]] && command -v apt-get >/dev/null; then
  # Suites run side by side, and apt-get fails where another one runs.
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/berth
  mkdir -p "$cache"
  exec 9>"$cache/install.lock"
  flock 9
  {
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $needed
  } >&2 || true
  hash -r
  needed=$(missing | sort -u)
fi
if [[ -n $needed ]]; then
  others=$(wrong | paste -sd ';')
  echo "packages are missing: ${needed//$'\n'/ }${others:+: ${others//;/; }}" >&2
  exit 1
fi
