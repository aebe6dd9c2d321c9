import type { Machine } from './machine';

/** Who runs services, and nobody in particular. */
const SERVICE_USERS = [
  ...['daylight', 'daylight-build', 'daylight-storage'],
  ...['caddy', 'redis', 'postgres', 'www-data', 'nobody'],
];
/** What root reads, runs, and keeps. */
const ROOTS_OWN = [
  '/backup',
  '/etc',
  '/opt/daylight/source',
  '/root',
  '/usr',
  '/var/lib/systemd',
  '/var/spool/cron',
];

/** The services' own settings, which root doesn't run. */
const THEIR_OWN = [
  /^postgres \/etc\/postgresql\b/,
  /^redis \/etc\/redis\b/,
  /^caddy \/etc\/caddy\/authority\./,
];

/** Returns what root or the site runs or trusts although a service's user can write it, as `user path`. */
export async function findWritable({ run }: Machine): Promise<string[]> {
  const found = await run(`
    for user in ${SERVICE_USERS.join(' ')}; do
      as_user() { setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups "$@" 2> /dev/null || true; }
      as_user find ${ROOTS_OWN.join(' ')} ! -type l ! -type c -writable -printf "$user %p\\n"
      as_user find / /opt /opt/daylight -maxdepth 0 -writable -printf "$user %p\\n"
    done
    user=daylight
    as_user find /opt/daylight ! -type l -writable -printf "$user %p\\n"`);
  const lines = found.trim().split('\n').filter(Boolean);
  return lines.filter((line) => !THEIR_OWN.some((pattern) => pattern.test(line)));
}

/** Returns files of people, whose ids begin at 1000, or of nobody, where there are only programs. */
export const findForeign = ({ run }: Machine): Promise<string> =>
  run(
    'find /usr /opt/daylight/source /etc/systemd ( -uid +999 -o -gid +999 -o -nouser )'.replace(
      /[()]/g,
      '\\$&',
    ),
  );
