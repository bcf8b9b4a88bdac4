#!/bin/sh
# Prints the path of the emulator that runs programs for arm64 on another processor: the one that is
# installed, or Debian's, unpacked once into the user's cache.
# What goes wrong is said on the last line of standard error.
set -eu
program=qemu-aarch64-static
if path=$(command -v "$program"); then
  echo "$path"
  exit
fi
folder=${XDG_CACHE_HOME:-$HOME/.cache}/berth/qemu
if [ ! -x "$folder/usr/bin/$program" ]; then
  for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || { echo "no $program" >&2; exit 1; }
  done
  mkdir -p "$(dirname -- "$folder")"
  new=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  cd "$new"
  { apt-get download -qq qemu-user-static && dpkg-deb --extract qemu-user-static*.deb . ; } >&2 ||
    { echo "no $program, and apt does not get it" >&2; exit 1; }
  # Whoever was faster has the same.
  rm -rf qemu-user-static*.deb "$folder"
  mv -T "$new" "$folder"
fi
echo "$folder/usr/bin/$program"
