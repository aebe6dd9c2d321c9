# What the scripts of a server share. install.sh puts it in /usr/local/lib/daylight, where they read it.
# DAYLIGHT_ROOT is a folder that takes the place of /, for tests.
root=${DAYLIGHT_ROOT:-}
base=$root/opt/daylight
settings=$root/etc/daylight/daylight.env

# Where a file of deploy/ is installed. Fails if it isn't for a server with systemd.
installed_at() {
  case $1 in
    *.service | *.timer) echo "$root/etc/systemd/system/$1" ;;
    common.sh) echo "$root/usr/local/lib/daylight/$1" ;;
    daylight.sh) echo "$root/usr/local/sbin/daylight" ;;
    release.sh | backup.sh | restore.sh | alert.sh) echo "$root/usr/local/sbin/daylight-${1%.sh}" ;;
    *) return 1 ;;
  esac
}

# Runs a command as another user, with an environment of its own and out of reach of root's terminal: whoever has a
# terminal can read what's typed there, and can type into it (TIOCSTI). The folder is entered as that user, so that a link
# leads nobody further than that user may go.
#   as_user USER FOLDER [NAME=value…] COMMAND…
as_user() (
  user=$1 folder=$2
  shift 2
  pty=
  if [ -t 0 ] && [ -t 1 ] && [ -t 2 ]; then pty=--pty; fi
  set -- runuser $pty --user "$user" -- env --chdir="$folder" "$@"
  for name in LANG http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS; do
    eval "value=\${$name:-}"
    [ -z "$value" ] || set -- "$name=$value" "$@"
  done
  set -- env -i PATH="$PATH" HOME="$root/var/lib/$user" TERM="${TERM:-dumb}" "$@"
  cd /
  # The lock of a backup.
  exec 9>&-
  if [ -n "$pty" ]; then exec "$@"; fi

  # In a session of its own, and without a way to read from the terminal, which is opened again for writing only.
  if [ -t 0 ]; then exec < /dev/null; fi
  exec 3>&1
  if [ -t 1 ]; then terminal=$(tty <&3) || exit; exec > "$terminal"; fi
  if [ -t 2 ]; then terminal=$(tty <&2) || exit; exec 2> "$terminal"; fi
  exec 3<&0
  setsid --wait "$@" <&3 3<&- &
  # Ctrl-C doesn't reach other sessions.
  trap 'kill $!' HUP INT TERM
  wait $!
)

# Prints a setting. Quotes and comments aren't part of it, as for the app.
setting() {
  sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "${2:-$settings}" | tail -n 1 | sed "
    s/^\"\([^\"]*\)\".*/\1/; t
    s/^'\([^']*\)'.*/\1/; t
    s/[[:space:]]*#.*//; s/[[:space:]]*\$//"
}

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

# Sets $database to the database's address without its password, which goes through the environment: every user can read
# arguments in the list of processes.
read_database() {
  database=$(setting DATABASE_URL)
  PGPASSWORD=$(printf '%s\n' "$database" | sed -n 's|^[^:]*://[^:/@]*:\([^@]*\)@.*|\1|p' | decode)
  export PGPASSWORD
  # Postgres's programs call it require when a server isn't verified on purpose.
  database=$(printf '%s\n' "$database" |
    sed 's|\([?&]sslmode=\)no-verify|\1require|; s|^\([^:]*://[^:/@]*\):[^@]*@|\1@|')
}

# Sets $bucket to the bucket as rclone names it, and gives rclone the storage's keys, through the environment, too.
read_storage() {
  bucket=s3:$(setting S3_BUCKET)
  # No file of rclone's own counts.
  export RCLONE_CONFIG=/dev/null RCLONE_CONFIG_S3_TYPE=s3
  RCLONE_CONFIG_S3_ENDPOINT=$(setting S3_ENDPOINT)
  RCLONE_CONFIG_S3_REGION=$(setting S3_REGION)
  RCLONE_CONFIG_S3_ACCESS_KEY_ID=$(setting S3_ACCESS_KEY_ID)
  RCLONE_CONFIG_S3_SECRET_ACCESS_KEY=$(setting S3_SECRET_ACCESS_KEY)
  RCLONE_CONFIG_S3_PROVIDER=Other RCLONE_CONFIG_S3_FORCE_PATH_STYLE=false RCLONE_CONFIG_S3_NO_CHECK_BUCKET=true
  [ -n "$RCLONE_CONFIG_S3_ENDPOINT" ] || RCLONE_CONFIG_S3_PROVIDER=AWS
  case $(setting S3_FORCE_PATH_STYLE) in 1 | true) RCLONE_CONFIG_S3_FORCE_PATH_STYLE=true ;; esac
  export RCLONE_CONFIG_S3_ENDPOINT RCLONE_CONFIG_S3_REGION RCLONE_CONFIG_S3_ACCESS_KEY_ID \
    RCLONE_CONFIG_S3_SECRET_ACCESS_KEY RCLONE_CONFIG_S3_PROVIDER RCLONE_CONFIG_S3_FORCE_PATH_STYLE \
    RCLONE_CONFIG_S3_NO_CHECK_BUCKET
}

# Keeps other backups and restores away from a folder of backups.
lock_backups() {
  if [ -n "$(find "$1" -maxdepth 0 \( ! -user "$(id -u)" -o -perm /022 \))" ]; then
    echo "Others may write to $1. Backups need a folder of root's: chown root $1 && chmod 0700 $1" >&2
    return 1
  fi
  exec 9> "$1/.lock"
  flock --nonblock 9 || { echo "Another backup or restore uses $1. Try again when it's done." >&2; return 1; }
}

# Has Caddy send requests to these processes of the site: send_to daylight@3000.service daylight@3001.service
send_to() {
  ports=$(echo "$*" | sed -E 's/daylight@([0-9]+)\.service/127.0.0.1:\1/g')
  if [ -n "$ports" ] && [ -e "$root/etc/caddy/daylight-processes" ]; then
    echo "to $ports" > "$root/etc/caddy/daylight-processes"
    systemctl reload caddy
  fi
}

# Waits until a process of the site answers.
wait_for() {
  port=${1#daylight@}
  tries=60
  until curl --noproxy '*' -fs -o /dev/null "http://127.0.0.1:${port%.service}/manifest.webmanifest"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "$1 doesn't answer: journalctl -u $1" >&2; return 1; }
    sleep 1
  done
}
