#!/bin/sh
# Saves the database, the videos, and the settings of compose.yaml's services in a folder, and restores them from it.
# docs/deploy/nas.md explains both.
#   sh deploy/compose-backup.sh save /volume1/backup
#   sh deploy/compose-backup.sh restore /volume1/backup 2026-11-27T033000Z [--other-secret]
set -eu
export LC_ALL=C
umask 077

fail() {
  echo "$1" >&2
  exit 1
}
in_postgres() { docker compose exec -T postgres "$@"; }
in_app() { docker compose run --rm --no-deps -T app scripts/run.mjs "$@"; }
# As whoever runs this script, who owns the backup. Its keys for storage are in the environment (compose.yaml).
rclone() { docker compose run --rm -T --user "$(id -u):$(id -g)" rclone "$@"; }
# Prints a setting of an env file, without the quotes around it.
setting() { sed -n "s/^$1=//p" "$2" | tail -n 1 | sed "s/^\([\"']\)\(.*\)\1.*\$/\2/"; }
list_backups() {
  for dump in "$folder"/*Z/database.dump; do
    [ ! -f "$dump" ] || basename "$(dirname "$dump")"
  done
}

save() {
  time=$(date -u +%Y-%m-%dT%H%M%SZ)
  # No other backup runs, so these are of one that was cut off.
  rm -rf "$folder"/*.part
  part=$folder/$time.part
  trap 'rm -rf "$part"' EXIT
  mkdir -p "$part" "$folder/videos"
  cp .env "$part/daylight.env"
  # A backup without it is better than none.
  git -c "safe.directory=$PWD" rev-parse HEAD > "$part/commit" || echo unknown > "$part/commit"
  # The database first: a video without an entry is harmless, an entry without its video isn't.
  in_postgres pg_dump --username postgres --format custom daylight > "$part/database.dump"
  mv "$part" "$folder/$time"
  # Archives for download are copies of the rest.
  rclone sync s3:daylight /backup/videos --exclude '/exports/**' --backup-dir "/backup/deleted-$time"

  # Only now, so that old backups stay if new ones fail.
  find "$folder" -mindepth 1 -maxdepth 1 \( -name '????-??-??T??????Z' -o -name 'deleted-*' \) -mtime +30 \
    -exec rm -rf {} +
  echo "Saved in $folder: $time, and videos."
}

# Refuses if authenticator apps, waiting emails, and receipts of the backup couldn't be read anymore.
check_secret() {
  here=$(setting AUTH_SECRET .env)
  there=$(setting AUTH_SECRET "$1")
  # While a secret is rotated, there are several, and the first one encrypts.
  case ",$here," in
    *",$there,"* | *",${there%%,*},"*) return ;;
  esac
  fail "AUTH_SECRET in .env isn't the one of the backup, without which authenticator apps don't work. Copy the line from
$1, or add --other-secret if you've lost it. Nothing was changed."
}

restore() {
  saved=$folder/$1
  case $1 in
    *Z) [ -f "$saved/database.dump" ] && [ -d "$folder/videos" ] ;;
    *) false ;;
  esac || fail "Name a backup that's in $folder:
$(list_backups)"
  [ "${2:-}" = --other-secret ] || check_secret "$saved/daylight.env"
  trap 'echo "The restore failed. The app and the worker stay stopped: read why above, and run it again." >&2' EXIT

  docker compose stop app worker
  in_postgres dropdb --username postgres --if-exists --force daylight
  in_postgres createdb --username postgres --owner daylight --template template0 --encoding UTF8 --locale C.UTF-8 \
    daylight
  # As the app's own role: what a dump runs must not run as a superuser.
  in_postgres pg_restore --username daylight --no-owner --no-privileges --exit-on-error --dbname daylight \
    < "$saved/database.dump"
  docker compose run --rm --no-deps -T bucket
  # A copy, which deletes nothing: what was added since the backup has its only copy in the bucket.
  rclone copy /backup/videos s3:daylight
  # What was deleted or replaced after this backup. The oldest comes last, because it's what the backup knew.
  newer=
  for path in "$folder"/deleted-*; do
    deleted=$(basename "$path")
    # Sorts as text, which is by time.
    first=$(printf '%s\n' "deleted-$1" "$deleted" | sort | head -n 1)
    [ ! -d "$path" ] || [ "$first" = "$deleted" ] || newer="$deleted $newer"
  done
  for deleted in $newer; do rclone copy "/backup/$deleted" s3:daylight; done
  docker compose run --rm --no-deps -T migrate
  # Nobody could cancel their account's deletion while the site was away: they get seven days.
  in_postgres psql --username postgres --set ON_ERROR_STOP=1 --dbname daylight --command \
    "UPDATE account_deletions SET erases_at = greatest(erases_at, now() + interval '7 days') WHERE started_at IS NULL"
  # Before the app starts, which would take a video with another ETag for a replaced one. No job can be tried now, which
  # the doctor counts as a problem.
  in_app doctor --data || :
  in_app doctor --repair || :
  docker compose up -d
  trap - EXIT
  echo 'Restored. Check it in a minute: docker compose run --rm app scripts/run.mjs doctor --data'
}

usage='sh deploy/compose-backup.sh save FOLDER
sh deploy/compose-backup.sh restore FOLDER TIME [--other-secret]'
case ${1:-} in
  save) [ $# -eq 2 ] || fail "$usage" ;;
  restore) [ $# -eq 2 ] || [ $# -eq 3 ] || { [ $# -eq 4 ] && [ "$4" = --other-secret ]; } || fail "$usage" ;;
  *) fail "$usage" ;;
esac
[ "$1" = restore ] || mkdir -p "$2"
[ -d "$2" ] || fail "There's no folder $2."
folder=$(cd "$2" && pwd)
# For the volume in compose.yaml.
export BACKUP_FOLDER="$folder"
cd "$(dirname "$0")/.."
[ -f .env ] || fail "There's no .env in $PWD. On a new machine, copy daylight.env of a backup to it, and start everything once."
# An older .env doesn't say where it is.
[ -n "$(setting COMPOSE_FILE .env)" ] || export COMPOSE_FILE=deploy/compose.yaml
exec 9> "$folder/lock"
flock -n 9 || fail "Another backup or restore uses $folder right now."
case $1 in
  save) save ;;
  restore) restore "${3:-}" "${4:-}" ;;
esac
