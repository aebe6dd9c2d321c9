#!/bin/sh
# Builds a version of Daylight next to the one that runs, migrates the database, and switches to it. A commit that was
# built before isn't built again, so the same command goes back to it; the three that ran last are kept. Run it as root;
# docs/deploy/vps.md explains it.
#   sh /opt/daylight/release.sh v1.2.0
set -eu
version=${1:?Name a tag, branch, or commit: sh release.sh v1.2.0}
base=${DAYLIGHT_HOME:-/opt/daylight}
source="git -C $base/source"
$source fetch --quiet --tags origin || echo 'The repository can’t be reached. Looking for the version in what’s here.' >&2
# A branch is wherever it's at now.
commit=$($source rev-parse --verify --quiet "origin/$version^{commit}" || $source rev-parse --verify "$version^{commit}")
release=$base/releases/$commit
# Runs a command in the release, with nothing from this shell's environment but how to reach the internet.
in_release() {
  groups=$1
  shift
  (cd "$release" && setpriv --reuid=daylight $groups env -i HOME="$base" PATH="$PATH" NEXT_TELEMETRY_DISABLED=1 \
    ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    ${no_proxy:+"no_proxy=$no_proxy"} "$@")
}
as_daylight() { in_release '--regid=daylight --init-groups' "$@"; }
# For other people's code: without the group that may read the settings.
without_secrets() { in_release '--regid=nogroup --clear-groups' "$@"; }

if [ ! -e "$release/.built" ]; then
  rm -rf "$release"
  install -d -o daylight -g daylight "$release"
  $source archive "$commit" | as_daylight tar -x
  # Pages that are open keep finding the scripts of the release that they came from.
  if [ -d "$base/current/.next/cache/static" ]; then
    as_daylight mkdir -p .next/cache
    as_daylight cp -a "$base/current/.next/cache/static" .next/cache/
  fi
  # What install scripts do is either for other hosts (a download of ffmpeg) or our own: deleting files that nobody reads.
  without_secrets npm ci --ignore-scripts --no-audit --no-fund
  without_secrets npm run --if-present postinstall
  without_secrets npm run build
  as_daylight ln -s /etc/daylight/daylight.env .env
  as_daylight touch .built
fi

as_daylight npm run db:migrate
ln -sfn "$release" "$base/current.new"
mv -T "$base/current.new" "$base/current"
touch "$release/.built"

command -v systemctl > /dev/null || exit 0
# One after the other, and each only once Caddy sends its requests to the others. With one process, Caddy holds them.
services=$(systemctl list-units --plain --no-legend 'daylight@*' | cut -d ' ' -f 1)
send_to() {
  ports=$(echo "$*" | sed -E 's/daylight@([0-9]+)\.service/127.0.0.1:\1/g')
  if [ -n "$ports" ] && [ -e /etc/caddy/daylight-processes ]; then
    echo "to $ports" > /etc/caddy/daylight-processes
    systemctl reload caddy
  fi
}
for service in $services; do
  send_to $(echo "$services" | grep -vxF "$service")
  systemctl restart "$service"
  port=${service#daylight@}
  port=${port%.service}
  tries=60
  until curl -fs -o /dev/null "http://127.0.0.1:$port/manifest.webmanifest"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "$service doesn't answer: journalctl -u $service" >&2; exit 1; }
    sleep 1
  done
done
send_to $services
systemctl try-restart daylight-worker.service

# Each takes about 1.5 GB. The one that runs was touched last.
ls -t "$base"/releases/*/.built | tail -n +4 | while read -r old; do rm -rf "${old%/.built}"; done
for folder in "$base"/releases/*; do [ -e "$folder/.built" ] || rm -rf "$folder"; done
echo "Daylight $version runs."
