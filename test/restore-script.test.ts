import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase, testServer } from './database';
import { cloneSource, installServer, type Server } from './server-scripts';

const TIME = '2026-11-27T033000Z';
const EMAIL = 'ada@example.com';
let server: Server;
let repository: ReturnType<typeof cloneSource>;
let database: TestDatabase;
let folder: string;

/** Runs a statement as the app's role. */
async function query(statement: string): Promise<postgres.RowList<postgres.Row[]>> {
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  return sql.unsafe(statement).finally(() => sql.end());
}

/** Has the site run a commit. */
function runRelease(commit: string): void {
  symlinkSync(join(server.root, 'opt/daylight/releases', commit), join(server.root, 'opt/daylight/next'));
  renameSync(join(server.root, 'opt/daylight/next'), join(server.root, 'opt/daylight/current'));
  mkdirSync(join(server.root, 'opt/daylight/releases', commit), { recursive: true });
}

const write = (settings: string[]) => server.write('etc/daylight/daylight.env', `${settings.join('\n')}\n`);
const settings = (secret = 'the-secret') => [
  'APP_URL=https://journal.example.com',
  `AUTH_SECRET=${secret}`,
  `DATABASE_URL=${database.url}`,
  'S3_ENDPOINT=https://storage.example.com',
  'S3_BUCKET=journal',
  'S3_SECRET_ACCESS_KEY=the-key-of-storage',
];
const restore = (...args: string[]) => server.run('daylight-restore', [folder, '--yes', ...args]);

/** Runs the system's program. */
const real = (name: string) => `PATH=\${PATH#*:} exec ${name} "$@"`;

/** What the server was told to do that changes anything, in order. */
const steps = () =>
  server.takeLog().filter((line) => !/^(rclone lsf|systemctl (list-units|--quiet is-))/.test(line));

const STOP = 'systemctl stop daylight-backup.timer daylight@* daylight-worker.service';
const STARTS = [
  'systemctl start daylight@3000.service',
  'systemctl start daylight@3001.service',
  'systemctl start daylight-worker.service',
];

describe.runIf(process.platform === 'linux')('daylight-restore', () => {
  /** A site of two processes, of which the second one isn't running, and a backup in which Ada wants to leave. */
  beforeEach(async () => {
    server = await installServer();
    repository = cloneSource(server);
    database = await createTestDatabase();
    folder = join(server.root, 'backup');
    runRelease(repository.head());
    write(settings());

    const superuser = new URL((await testServer()).url);
    server.program(
      'runuser',
      `while [ "$1" != -- ]; do if [ "$1" = --user ]; then user=$2; fi; shift; done; shift
      if [ "$user" = postgres ]; then
        export PGHOST='${superuser.hostname}' PGPORT='${superuser.port}' PGUSER='${decodeURIComponent(superuser.username)}'
        export PGPASSWORD='${decodeURIComponent(superuser.password)}' PGDATABASE=postgres
      fi
      exec "$@"`,
    );
    server.program(
      'systemctl',
      `echo "systemctl $*" >> "$log"
      case $* in
        list-units*)
          echo 'daylight@3000.service loaded active running'
          printf '%s loaded inactive dead\\n' daylight@3001.service daylight@3002.service ;;
        *is-active*) test "$3" = daylight@3000.service ;;
        *is-enabled*) test "$3" != daylight@3002.service ;;
      esac`,
    );
    server.program('rclone', 'echo "rclone $*" >> "$log"');
    server.program('daylight', 'echo "daylight $*" >> "$log"; [ "$*" != "doctor --repair" ]');
    server.program('curl', 'echo "waits for $*" | grep -o "waits for\\|http.*" | paste -sd " " >> "$log"');

    const id = uuidv7();
    await query(
      `insert into users (id, email, password_hash, first_name, last_name, gender, date_of_birth)
       values ('${id}', '${EMAIL}', 'none', 'Ada', 'Lovelace', 'female', '1990-12-10')`,
    );
    await query(`insert into account_deletions (user_id, erases_at) values ('${id}', now())`);
    const { stdout } = await server.run('daylight-backup', [folder]);
    const [made = ''] = /\S+Z(?=, and)/.exec(stdout) ?? [];
    renameSync(join(folder, made), join(folder, TIME));
    await query('delete from users');
    server.takeLog();
  });
  afterEach(async () => {
    await database.drop();
    server.remove();
  });

  it('brings everything back, and then starts every enabled process', async () => {
    for (const day of ['26', '27', '28', '29']) mkdirSync(join(folder, `deleted-2026-11-${day}T033000Z`));
    const { code, stdout } = await restore();
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 0,
      last: `Restored: the backup of ${TIME}. What's left to do, if anything:`,
    });
    expect(steps()).toEqual([
      STOP,
      'daylight bucket',
      `rclone copy ${folder}/videos s3:journal`,
      // The oldest last: it's what was there first.
      `rclone copy ${folder}/deleted-2026-11-29T033000Z s3:journal`,
      `rclone copy ${folder}/deleted-2026-11-28T033000Z s3:journal`,
      'daylight migrate',
      'daylight doctor --data',
      'daylight doctor --repair',
      ...STARTS,
      'waits for http://127.0.0.1:3000/manifest.webmanifest',
      'waits for http://127.0.0.1:3001/manifest.webmanifest',
      'systemctl start daylight-backup.timer',
      'daylight doctor --data',
    ]);
    expect(await query('select email from users')).toMatchObject([{ email: EMAIL }]);
    expect(
      await query("select erases_at > now() + interval '6 days' as moved from account_deletions"),
    ).toMatchObject([{ moved: true }]);
    const [made] = await query(
      `select pg_encoding_to_char(encoding) as encoding, datcollate, pg_get_userbyid(datdba) = current_user as own
       from pg_database where datname = current_database()`,
    );
    expect(made).toEqual({ encoding: 'UTF8', datcollate: 'C.UTF-8', own: true });
  });

  it('sends requests to all of the processes that it started, also with a new AUTH_SECRET before the old', async () => {
    write(settings('another,the-secret'));
    server.write('etc/caddy/daylight-processes', 'to 127.0.0.1:3000\n');
    expect(await restore()).toMatchObject({ code: 0 });
    expect(server.read('etc/caddy/daylight-processes')).toBe('to 127.0.0.1:3000 127.0.0.1:3001\n');
  });

  it('takes the newest backup, or the one that’s named', async () => {
    mkdirSync(join(folder, '2026-11-28T033000Z'));
    expect((await restore()).stderr).toContain("There's no complete backup in");
    expect(await restore(TIME)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'replacing the database',
      () => server.program('pg_restore', 'case $* in *--dbname*) exit 9 ;; esac'),
      [],
    ],
    [
      'bringing the videos back',
      () => server.program('rclone', 'case $1 in copy) exit 9 ;; esac'),
      ['daylight bucket'],
    ],
    [
      'bringing the database up to date',
      () => server.program('daylight', 'echo "daylight $*" >> "$log"; [ "$1" != migrate ] || exit 9'),
      ['daylight bucket', `rclone copy`, 'daylight migrate'],
    ],
  ])('stops while %s if that fails, and starts nothing', async (step, breakIt, before) => {
    breakIt();
    const { code, stderr } = await restore();
    expect(code).toBe(9);
    expect(stderr).toContain(
      `The restore failed while ${step}.\nThe site and the nightly backup stay stopped. Correct what failed, and run the same command again.\n`,
    );
    expect(steps()).toEqual([STOP, ...before.map((line) => expect.stringContaining(line))]);
  });

  it('restores again after it failed on the way', async () => {
    server.program('pg_restore', 'case $* in *--dbname*) exit 9 ;; esac');
    await restore();
    await database.drop();
    server.program('pg_restore', real('pg_restore'));
    expect(await restore()).toMatchObject({ code: 0 });
    expect(await query('select email from users')).toMatchObject([{ email: EMAIL }]);
  });

  it.each([
    ['another AUTH_SECRET', () => write(settings('another')), "AUTH_SECRET lacks the backup's"],
    [
      'a dump that isn’t whole',
      () => truncateSync(join(folder, TIME, 'database.dump'), 20_000),
      'The restore failed while checking the backup.',
    ],
    [
      'no settings in the backup',
      () => rmSync(join(folder, TIME, 'daylight.env')),
      "There's no complete backup",
    ],
    [
      'storage that refuses the keys',
      () => server.program('rclone', 'exit 1'),
      'The restore failed while asking storage for its files.',
    ],
    [
      'an older release',
      () => {
        writeFileSync(join(repository.origin, 'package.json'), '{"name":"next"}');
        writeFileSync(join(folder, TIME, 'commit'), repository.commit());
      },
      'made by a newer release than the one that runs. Run this first: daylight-release ',
    ],
    [
      'a database on another server',
      () => server.program('psql', 'echo "$RANDOM_$$"'),
      'DATABASE_URL is another server’s.',
    ],
  ])('changes nothing with %s', async (_, prepare, says) => {
    prepare();
    const { code, stderr } = await restore(TIME);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(stderr).toMatch(/Nothing has been changed\.\n$/);
    expect(steps()).toEqual([]);
    expect(await query('select email from users')).toEqual([]);
  });

  it('asks first', async () => {
    const { code, stderr } = await server.run('daylight-restore', [folder]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Add --yes to restore without being asked.\nNothing has been changed.\n',
    });
    expect(steps()).toEqual([]);
  });

  it('shows no secret in the list of processes', async () => {
    for (const program of ['psql', 'pg_restore']) {
      server.program(program, `echo "${program} $*" >> "$log"; ${real(program)}`);
    }
    await restore();
    const { password } = new URL(database.url);
    const called = server.takeLog().join('\n');
    expect(called).toContain('pg_restore --no-owner');
    for (const secret of ['the-key-of-storage', 'the-secret', ...(password ? [`:${password}@`] : [])]) {
      expect(called).not.toContain(secret);
    }
  });
});
