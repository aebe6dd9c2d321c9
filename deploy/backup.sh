#!/bin/sh
# Saves the database, the videos, and the settings in a folder, and removes what's older than 30 days there.
# docs/operations.md explains it.
#   daylight-backup /backup
set -eu
. "${DAYLIGHT_ROOT:-}/usr/local/lib/daylight/common.sh"
folder=${1:?Name a folder: daylight-backup /backup}
umask 077
mkdir -p "$folder"
lock_backups "$folder"
mkdir -p "$folder/videos"
now() { date -u +%Y-%m-%dT%H%M%SZ; }
time=$(now)
while [ -e "$folder/$time" ] || [ -e "$folder/$time.part" ]; do
  sleep 1
  time=$(now)
done
part=$folder/$time.part
mkdir "$part"

# Each backup has its own, because an older database needs the AUTH_SECRET of its time.
cp "$settings" "$part/daylight.env"
basename "$(readlink "$base/current")" > "$part/commit"
read_database
# The database first: a video without an entry is harmless, an entry without its video isn't.
pg_dump --format custom --file "$part/database.dump" "$database"
read_storage
# Archives for download are copies of the rest.
rclone sync "$bucket" "$folder/videos" --exclude '/exports/**' --backup-dir "$folder/deleted-$time"
mv "$part" "$folder/$time"

# Only now, so that old backups stay if new ones fail.
find "$folder" -mindepth 1 -maxdepth 1 \( -name '*.part' -o \
  \( -name '????-??-??T??????Z' -o -name 'deleted-*' -o -name 'daylight-*.dump' \) -mtime +30 \) -exec rm -rf {} +
echo "Saved in $folder: $time, and videos."
