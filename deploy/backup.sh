#!/bin/sh
# Saves the database, the videos, and the settings in a folder, and removes what's older than 30 days there. rclone must
# know the storage as "s3"; docs/operations.md explains it.
#   sh /opt/daylight/backup.sh /backup
set -eu
folder=${1:?Name a folder: sh backup.sh /backup}
settings=${DAYLIGHT_SETTINGS:-/etc/daylight/daylight.env}
# Quotes around a value aren't part of it, as for systemd.
setting() { sed -n "s/^$1=//p" "$settings" | sed "s/^\([\"']\)\(.*\)\1\$/\2/"; }
# Decodes %40 and the like.
decode() {
  LC_ALL=C awk 'BEGIN { hex = "0123456789abcdef" } {
    while (at = index($0, "%")) {
      code = tolower(substr($0, at + 1, 2))
      printf "%s%c", substr($0, 1, at - 1), (index(hex, substr(code, 1, 1)) - 1) * 16 + index(hex, substr(code, 2)) - 1
      $0 = substr($0, at + 3)
    }
    printf "%s", $0
  }'
}
umask 077
mkdir -p "$folder/videos"
day=$(date +%F)

cp "$settings" "$folder/"
# The password goes through the environment: every user can read arguments in the list of processes.
database=$(setting DATABASE_URL)
PGPASSWORD=$(printf '%s\n' "$database" | sed -n 's|^[^:]*://[^:/@]*:\([^@]*\)@.*|\1|p' | decode)
export PGPASSWORD
# pg_dump calls it require when a server isn't verified on purpose.
database=$(printf '%s\n' "$database" | sed 's|\([?&]sslmode=\)no-verify|\1require|')
# The database first: a video without an entry is harmless, an entry without its video isn't.
pg_dump --format custom --file "$folder/daylight-$day.dump.part" \
  "$(printf '%s\n' "$database" | sed 's|^\([^:]*://[^:/@]*\):[^@]*@|\1@|')"
mv "$folder/daylight-$day.dump.part" "$folder/daylight-$day.dump"
# Archives for download are copies of the rest.
rclone sync "s3:$(setting S3_BUCKET)" "$folder/videos" --exclude '/exports/**' --backup-dir "$folder/deleted-$day"

# Only now, so that old backups stay if new ones fail.
find "$folder" -mindepth 1 -maxdepth 1 \( -name 'daylight-*.dump' -o -name 'deleted-*' \) -mtime +30 -exec rm -rf {} +
echo "Saved in $folder: daylight-$day.dump, and videos."
