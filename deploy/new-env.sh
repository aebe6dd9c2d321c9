#!/bin/sh
# Prints settings for compose.yaml, with new secrets.
#   sh deploy/new-env.sh journal.example.com storage.example.com > .env
set -eu
if [ $# -ne 2 ]; then
  echo 'Name the addresses of the site and of storage: sh deploy/new-env.sh journal.example.com storage.example.com > .env' >&2
  exit 1
fi
secret() { openssl rand -hex 32; }
cat <<ENV
# Where people open the site, and where their browsers upload to. Both need https.
APP_URL=https://$1
S3_ENDPOINT=https://$2
STORAGE_HOST=$2

# Who may create an account: people you invite. `open` lets in anyone who knows the address.
SIGNUP=invite

# How mail is sent: smtp://user:password@smtp.example.com:587, or a RESEND_API_KEY.
SMTP_URL=
RESEND_API_KEY=
MAIL_FROM=Daylight <daylight@$1>

# Speech to text: a server with OpenAI's POST /v1/audio/transcriptions, for other languages than English.
SPEECH_BASE_URL=
SPEECH_API_KEY=
SPEECH_MODEL=

# Made for this installation. Keep a copy of this file with your backups.
AUTH_SECRET=$(secret)
POSTGRES_PASSWORD=$(secret)
DATABASE_PASSWORD=$(secret)
S3_ACCESS_KEY_ID=$(openssl rand -hex 10)
S3_SECRET_ACCESS_KEY=$(secret)
INNGEST_EVENT_KEY=$(secret)
INNGEST_SIGNING_KEY=$(secret)
ENV
