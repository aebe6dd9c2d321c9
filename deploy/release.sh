#!/bin/sh
# Builds a version of Daylight next to the one that runs, migrates the database, and switches to it. A commit that was
# built before isn't built again, so the same command goes back to it; the three that ran last are kept. Run it as root;
# docs/deploy/vps.md explains it.
#   daylight-release v1.2.0
set -eu
. "${DAYLIGHT_ROOT:-}/usr/local/lib/daylight/common.sh"
version=${1:?Name a tag, branch, or commit: daylight-release v1.2.0}
# Everybody may read the code.
umask 022
source="git -C $base/source"
$source fetch --quiet --tags origin || echo 'The repository can’t be reached. Looking for the version in what’s here.' >&2
# A branch is wherever it's at now.
if ! commit=$($source rev-parse --verify --quiet "origin/$version^{commit}" ||
  $source rev-parse --verify --quiet "$version^{commit}"); then
  echo "There's no tag, branch, or commit \"$version\" in $base/source." >&2
  exit 1
fi
release=$base/releases/$commit
# Everything in releases is this user's: other people's code runs during a build, and must reach neither the settings nor
# the running site. Root follows no path in there, so a link leads nowhere.
as_builder() {
  folder=$1
  shift
  as_user daylight-build "$folder" TMPDIR="$root/var/lib/daylight-build/tmp" NEXT_TELEMETRY_DISABLED=1 "$@"
}

if [ ! -e "$release/.built" ]; then
  # /tmp is everybody's, and programs find their caches there by name.
  as_builder "$base/releases" mkdir -p "$root/var/lib/daylight-build/tmp"
  as_builder "$base/releases" rm -rf "$release"
  as_builder "$base/releases" mkdir "$release"
  $source archive "$commit" | as_builder "$release" tar -x
  # Pages that are open keep finding the scripts of the release that they came from.
  if [ -d "$base/current/.next/cache/static" ]; then
    as_builder "$release" mkdir -p .next/cache
    as_builder "$release" cp -a "$base/current/.next/cache/static" .next/cache/
  fi
  # What install scripts do is either for other hosts (a download of ffmpeg) or our own: deleting files that nobody reads.
  as_builder "$release" npm ci --ignore-scripts --no-audit --no-fund
  as_builder "$release" npm run --if-present postinstall
  as_builder "$release" npm run build
  as_builder "$release" ln -s /etc/daylight/daylight.env .env
  as_builder "$release" touch .built
fi

as_user daylight "$release" TMPDIR=/var/tmp npm run db:migrate
ln -sfn "$release" "$base/current.new"
mv -T "$base/current.new" "$base/current"
as_builder "$release" touch .built

# One after the other, and each only once Caddy sends its requests to the others. With one process, Caddy holds them.
services=$(systemctl list-units --plain --no-legend 'daylight@*' | cut -d ' ' -f 1)
for service in $services; do
  send_to $(echo "$services" | grep -vxF "$service")
  systemctl restart "$service"
  wait_for "$service"
done
send_to $services
systemctl try-restart daylight-worker.service

# Each takes about 1.5 GB. The one that runs was touched last.
as_builder "$base/releases" sh -c '
  ls -t ./*/.built | tail -n +4 | while read -r old; do rm -rf "${old%/.built}"; done
  for folder in ./*; do [ -e "$folder/.built" ] || rm -rf "$folder"; done'
echo "Daylight $version runs."

$source cat-file -e "$commit:deploy/install.sh" 2> /dev/null || exit 0
for file in $($source ls-tree --name-only "$commit:deploy"); do
  place=$(installed_at "$file") || continue
  if $source show "$commit:deploy/$file" | cmp -s - "$place"; then continue; fi
  echo "Its units or scripts differ from those that are installed. To install them:
  git -C $base/source checkout --quiet $commit && sh $base/source/deploy/install.sh"
  break
done
