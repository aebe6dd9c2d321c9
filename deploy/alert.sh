#!/bin/sh
# Emails the operator that a unit failed, with the end of its log.
#   daylight-alert daylight-backup.service
set -eu
unit=${1:?Name a unit: daylight-alert daylight-backup.service}
{
  printf '%s failed on %s. The end of its log:\n\n' "$unit" "$(uname -n)"
  journalctl --unit "$unit" --lines 20 --no-pager --output short-iso
  printf '\nMore: journalctl -u %s\n' "$unit"
} | daylight alert "$unit failed"
