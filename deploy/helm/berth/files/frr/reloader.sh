#!/bin/bash
# Gives FRR another configuration whenever the speaker asks for it by SIGHUP, and says in .status how
# that went: the time, and success or failure. FRR's own tool changes only what differs.
set -u -o pipefail
folder=${SHARED_VOLUME:-/etc/frr_reloader}
asked=
due=0

reload() {
  # shellcheck disable=SC2086 # Several options.
  python3 /usr/lib/frr/frr-reload.py "$@" --stdout ${FRR_RELOAD_OPTIONS:-} "$folder/frr.conf" 2>&1 |
    sed 's/password.*/password <redacted>/'
}

# What FRR shows of its sessions, for the speaker: its status, figures and problems.
tell() {
  # shellcheck disable=SC2086 # Several options.
  for what in 'bgp vrf all neighbors' 'bfd peers' 'bfd peers counters'; do
    vtysh ${FRR_VTYSH_OPTIONS:-} -c "show $what json" 2>/dev/null
    echo ---
  done >"$folder/.sessions.new"
  mv "$folder/.sessions.new" "$folder/.sessions"
}

trap 'asked=yes' HUP
trap 'rm -f "$folder/reloader.pid"; exit 0' TERM INT
printf %s $$ >"$folder/reloader.pid"

while true; do
  if ((SECONDS >= due)); then
    tell
    due=$((SECONDS + 5))
  fi
  if [[ -z $asked ]]; then
    # The signal ends the wait; one that came just before it is seen a second later.
    sleep 1 &
    wait $!
    continue
  fi
  asked=
  outcome=failure
  if reload --test && reload --reload --overwrite; then outcome=success; fi
  printf '%s %s' "$(date +%s)" "$outcome" >"$folder/.status.new"
  mv "$folder/.status.new" "$folder/.status"
done
