#!/bin/sh
# Writes .env, the settings of deploy/compose.yaml, with new secrets.
#   sh deploy/new-env.sh journal.example.com storage.example.com
set -eu
fail() {
  echo "$1" >&2
  exit 1
}
[ $# -eq 2 ] ||
  fail 'Name the addresses of the site and of storage: sh deploy/new-env.sh journal.example.com storage.example.com'
cd "$(dirname "$0")/.."
if [ -e .env ] || [ -L .env ]; then
  # What a shell leaves of the file for `new-env.sh … > .env`, before this script starts.
  [ -s .env ] || fail '.env is empty. If it held settings, restore them from a backup, because the database keeps the
password that it started with. Otherwise delete the file, and run this again without “> .env”.'
  fail '.env exists already, and stays as it is: the database keeps the password that it started with.'
fi
# Before anything is written, so that no secret is missing if openssl is.
auth=$(openssl rand -hex 32)
postgres=$(openssl rand -hex 32)
database=$(openssl rand -hex 32)
access=$(openssl rand -hex 10)
secret=$(openssl rand -hex 32)
event=$(openssl rand -hex 32)
signing=$(openssl rand -hex 32)
umask 077
# Never overwrites a file.
set -C
cat > .env <<ENV
# Keep the single quotes around what you fill in: without them, Docker Compose takes a \$ and what follows for a variable.
# A ' in a value is \\' there.

# Lets \`docker compose\` run in this folder.
COMPOSE_FILE='deploy/compose.yaml'

# Where people open the site, and where their browsers upload to. Both need https.
APP_URL='https://$1'
S3_ENDPOINT='https://$2'
STORAGE_HOST='$2'

# \`https\` also starts Caddy, a proxy that gets its own certificates. Leave it empty behind a proxy of yours.
COMPOSE_PROFILES=''

# Who may create an account: people you invite. \`open\` lets in anyone who knows the address.
SIGNUP='invite'
# What each account may hold: Free 5 GB, Basic 50 GB, Standard 250 GB.
DEFAULT_PLAN='Standard'

# How mail is sent: smtp://user:password@smtp.example.com:587, or a RESEND_API_KEY.
SMTP_URL=''
RESEND_API_KEY=''
MAIL_FROM='Daylight <daylight@$1>'
# Where warnings go, such as that a disk is filling up or that a backup failed.
OPERATOR_EMAIL=''

# Speech to text: a server with OpenAI's POST /v1/audio/transcriptions, for other languages than English.
SPEECH_BASE_URL=''
SPEECH_API_KEY=''
SPEECH_MODEL=''

# Made for this installation. Backups hold a copy.
AUTH_SECRET='$auth'
POSTGRES_PASSWORD='$postgres'
DATABASE_PASSWORD='$database'
S3_ACCESS_KEY_ID='$access'
S3_SECRET_ACCESS_KEY='$secret'
INNGEST_EVENT_KEY='$event'
INNGEST_SIGNING_KEY='$signing'
ENV
echo 'Wrote .env. Fill in how mail is sent.'
