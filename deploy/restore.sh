#!/bin/sh
# Replaces the database with that of a backup, and brings its videos back. docs/operations.md explains it.
#   daylight-restore /backup                            the newest backup
#   daylight-restore /backup 2026-11-27T033000Z         that one
# --yes doesn't ask.
set -eu
. "${DAYLIGHT_ROOT:-}/usr/local/lib/daylight/common.sh"
folder='' time='' sure=''
for argument; do
  case $argument in
    --yes) sure=yes ;;
    -*) folder='' && break ;;
    *) if [ -z "$folder" ]; then folder=$argument; else time=$argument; fi ;;
  esac
done
if [ -z "$folder" ]; then
  echo 'Name a folder: daylight-restore /backup [TIME] [--yes]' >&2
  exit 2
fi
step='checking the backup'
started=''
say_what_failed() {
  status=$?
  if [ $status = 0 ]; then return; fi
  if [ -n "$step" ]; then echo "The restore failed while $step." >&2; fi
  if [ -z "$started" ]; then
    echo 'Nothing has been changed.' >&2
  else
    echo 'The site and the nightly backup stay stopped. Correct what failed, and run the same command again.' >&2
  fi
}
trap say_what_failed EXIT
trap 'exit 130' HUP INT TERM
refuse() {
  printf '%s\n' "$@" >&2
  step=''
  exit 1
}
begin() {
  step=$1
  echo "Now: $step"
}

# First everything that can be known before anything changes.
[ -d "$folder/videos" ] || refuse "There are no backups in $folder."
lock_backups "$folder"
for backup in "$folder"/????-??-??T??????Z; do
  if [ -z "$time" ] || [ "$backup" = "$folder/$time" ]; then chosen=$backup; fi
done
backup=${chosen:-}
[ -s "$backup/database.dump" ] && [ -s "$backup/daylight.env" ] ||
  refuse "There's no complete backup ${time:+"$time "}in $folder. It has:" "$(ls "$folder")"
time=${backup##*/}
# Reads all of it.
pg_restore --file /dev/null "$backup/database.dump"

step='comparing this server with the backup'
[ -e "$base/current" ] || refuse 'Build a release first: daylight-release main'
commit=$(cat "$backup/commit")
running=$(basename "$(readlink "$base/current")")
git -C "$base/source" merge-base --is-ancestor "$commit" "$running" 2> /dev/null ||
  refuse "The backup was made by a newer release than the one that runs. Run this first: daylight-release $commit"
# A list with commas: the first one encrypts, and any of them decrypts.
for secret in $(setting AUTH_SECRET "$backup/daylight.env" | tr , ' '); do
  case ,$(setting AUTH_SECRET), in *,"$secret",*) continue ;; esac
  refuse "AUTH_SECRET lacks the backup's, without which two-factor login wouldn't work. Copy it from" \
    "$backup/daylight.env to $settings: AUTH_SECRET=NEW,OLD"
done

step='asking storage for its files'
read_storage
rclone lsf "$bucket" --max-depth 1 --retries 1 > /dev/null

step='asking the database, which must be this server’s'
read_database
as_postgres() { as_user postgres / "$@"; }
# The one that we're about to drop may be missing.
maintenance=$(printf '%s\n' "$database" | sed 's|^\([^:]*://[^/]*\)/[^?]*|\1/postgres|')
name=$(printf '%s\n' "$database" | sed 's|^[^:]*://[^/]*/\([^?]*\).*|\1|')
ask() { psql --no-psqlrc --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$@"; }
role=$(ask "$maintenance" --command 'select current_user')
started_at='select pg_postmaster_start_time()'
[ "$(ask "$maintenance" --command "$started_at")" = "$(as_postgres psql --tuples-only --no-align --command "$started_at")" ] ||
  refuse 'DATABASE_URL is another server’s.'

if [ -z "$sure" ]; then
  [ -t 0 ] || refuse 'Add --yes to restore without being asked.'
  printf 'This replaces the database of %s with the backup of %s. Type yes to go on: ' "$(setting APP_URL)" "$time"
  read -r answer
  [ "$answer" = yes ] || refuse 'You didn’t say yes.'
fi

step='stopping the site'
started=yes
# Those that run, and those that will at the next start of the machine: Caddy sends requests to all of them.
services=''
for service in $(systemctl list-units --all --plain --no-legend 'daylight@*' | cut -d ' ' -f 1) daylight-worker.service; do
  if systemctl --quiet is-enabled "$service" || systemctl --quiet is-active "$service"; then
    services="$services $service"
  fi
done
systemctl stop daylight-backup.timer 'daylight@*' daylight-worker.service

begin 'replacing the database'
as_postgres dropdb --if-exists --force "$name"
as_postgres createdb --owner "$role" --template template0 --encoding UTF8 --locale C.UTF-8 "$name"
# As the site's own role: what a dump runs must not run as a superuser.
pg_restore --no-owner --no-privileges --exit-on-error --dbname "$database" "$backup/database.dump"

begin 'bringing the videos back'
daylight bucket
# A copy, which deletes nothing: what was added since the backup has its only copy in the bucket.
rclone copy "$folder/videos" "$bucket"
# What was deleted since. The oldest last, because it's what was there when the backup was made.
for deleted in $(ls -r "$folder" | grep '^deleted-....-..-..T......Z$'); do
  if expr "$deleted" \> "deleted-$time" > /dev/null; then rclone copy "$folder/$deleted" "$bucket"; fi
done

begin 'bringing the database up to date'
daylight migrate
# Nobody could cancel their account's deletion while the site was away: they get seven days.
ask "$database" --quiet --command "update account_deletions
  set erases_at = greatest(erases_at, now() + interval '7 days') where started_at is null"

begin 'comparing the database with storage'
# It fails if there's something to repair, or that only people can, or because no job can run yet.
daylight doctor --data || [ $? = 1 ]
daylight doctor --repair || [ $? = 1 ]

begin 'starting the site'
[ -n "$services" ] || echo 'No process is enabled. Start the site: systemctl enable --now daylight@3000 daylight-worker'
site=$(printf '%s\n' $services | sed '/^daylight-worker/d')
for service in $services; do systemctl start "$service"; done
for service in $site; do wait_for "$service"; done
send_to $site
if systemctl --quiet is-enabled daylight-backup.timer; then systemctl start daylight-backup.timer; fi
trap - EXIT
echo "Restored: the backup of $time. What's left to do, if anything:"
daylight doctor --data
