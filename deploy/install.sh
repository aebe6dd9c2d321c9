#!/bin/sh
# Installs the units and scripts of the folder that it's in, which must be root's own clone: whoever can write there
# becomes root. Run it again after an upgrade that changed them.
#   sh /opt/daylight/source/deploy/install.sh
set -eu
cd "$(dirname "$0")"
. ./common.sh
umask 022
if [ "$(stat -c %u .)" != "$(id -u)" ]; then
  echo "This folder isn't root's, so others may have changed what's in it. Use /opt/daylight/source/deploy/install.sh" >&2
  exit 1
fi
changed=
for file in *; do
  place=$(installed_at "$file") || continue
  if cmp -s "$file" "$place"; then continue; fi
  case $place in */sbin/*) mode=755 ;; *) mode=644 ;; esac
  # Renamed into place, because a script that runs reads its file as it goes.
  install -D -m $mode "$file" "$place.new"
  mv "$place.new" "$place"
  changed="$changed $file"
done
if [ -z "$changed" ]; then
  echo 'The units and scripts are up to date.'
  exit
fi
systemctl daemon-reload
echo "Installed:$changed"
