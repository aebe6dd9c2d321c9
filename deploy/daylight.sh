#!/bin/sh
# Runs one of Daylight's programs as the user daylight, in the release that runs.
#   daylight doctor --data
set -eu
. "${DAYLIGHT_ROOT:-}/usr/local/lib/daylight/common.sh"
case ${1:-} in
  alert | bucket | doctor | migrate | users | videos) ;;
  *)
    cat >&2 <<'USAGE'
daylight doctor [--data|--repair]    checks the settings, and every service they point to
daylight users list|invite|…         lists and manages people
daylight videos [--repair]           makes again what an earlier version made wrong
daylight bucket                      creates the bucket, and its rules
daylight migrate                     brings the database up to date
daylight alert SUBJECT < TEXT        emails the operator
USAGE
    exit 2
    ;;
esac
if [ ! -e "$base/current" ]; then
  echo 'There’s no release yet. Build one: daylight-release main' >&2
  exit 1
fi
as_user daylight "$base/current" NODE_ENV=production TMPDIR=/var/tmp node scripts/run.mjs "$@"
