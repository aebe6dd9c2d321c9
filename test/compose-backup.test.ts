import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../deploy/compose-backup.sh');
const ENV = "AUTH_SECRET='the-secret'\nS3_SECRET_ACCESS_KEY='of-storage'\n";
const [EARLY, TIME, LATE] = ['2026-11-25T033000Z', '2026-11-26T033000Z', '2026-11-27T033000Z'] as const;
const NOW = '2026-11-28T033000Z';
const RCLONE = `run --rm -T --user ${process.getuid?.()}:${process.getgid?.()} rclone`;
const IN_POSTGRES = 'exec -T postgres';

let folder: string;
let backup: string;

/** Puts a program in place of the system's. */
function program(name: string, body: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-compose-backup-'));
  backup = join(folder, 'backup');
  for (const name of ['bin', 'project/deploy', 'backup']) mkdirSync(join(folder, name), { recursive: true });
  cpSync(script, join(folder, 'project/deploy/compose-backup.sh'));
  writeFileSync(join(folder, 'project/.env'), ENV);
  program('date', `echo ${NOW}`);
  program('git', 'echo 0123456789abcdef');
  // Notes how it's called. Fails at what $FAILS names.
  program(
    'docker',
    `shift; echo "$*" >> '${folder}/called'; echo "$BACKUP_FOLDER" > '${folder}/volume'; echo "$COMPOSE_FILE" > '${folder}/compose-file'
case $* in
  $FAILS) echo 'This one fails.' >&2; exit 1 ;;
  *' pg_dump '*) echo 'the database' ;;
  *' pg_restore '*) cat > '${folder}/restored' ;;
esac`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script, and returns its exit code, its messages, and how it called Docker Compose. */
function run(args: string[], { fails = 'nothing' } = {}) {
  rmSync(join(folder, 'called'), { force: true });
  const { status, stderr } = spawnSync('sh', ['deploy/compose-backup.sh', ...args], {
    cwd: join(folder, 'project'),
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, FAILS: fails },
    encoding: 'utf8',
  });
  const called = existsSync(join(folder, 'called')) ? readFileSync(join(folder, 'called'), 'utf8') : '';
  return { status, stderr, calls: called.split('\n').filter(Boolean) };
}

/** Adds a backup of that time. */
function addBackup(time: string, env = ENV): void {
  for (const name of [time, 'videos']) mkdirSync(join(backup, name), { recursive: true });
  writeFileSync(join(backup, time, 'database.dump'), `the database of ${time}`);
  writeFileSync(join(backup, time, 'daylight.env'), env);
}

/** Adds an empty folder that was last changed so many days ago. */
function addFolder(name: string, days: number): void {
  mkdirSync(join(backup, name), { recursive: true });
  const then = new Date(Date.now() - days * 86_400_000);
  utimesSync(join(backup, name), then, then);
}

describe.runIf(process.platform === 'linux')('save', () => {
  it('keeps the settings and the commit with each dump, and then the videos', () => {
    expect(run(['save', backup])).toMatchObject({
      status: 0,
      calls: [
        `${IN_POSTGRES} pg_dump --username postgres --format custom daylight`,
        `${RCLONE} sync s3:daylight /backup/videos --exclude /exports/** --backup-dir /backup/deleted-${NOW}`,
      ],
    });
    const saved = (name: string) => readFileSync(join(backup, NOW, name), 'utf8');
    expect(saved('database.dump')).toBe('the database\n');
    expect(saved('daylight.env')).toBe(ENV);
    expect(saved('commit')).toBe('0123456789abcdef\n');
    expect(readFileSync(join(folder, 'volume'), 'utf8')).toBe(`${backup}\n`);
  });

  it('finds compose.yaml, whether .env says where it is or not', () => {
    const used = () => {
      expect(run(['save', backup]).status).toBe(0);
      return readFileSync(join(folder, 'compose-file'), 'utf8').trim();
    };
    expect(used()).toBe('deploy/compose.yaml');
    writeFileSync(join(folder, 'project/.env'), `${ENV}COMPOSE_FILE='deploy/compose.yaml:own.yaml'\n`);
    // Docker Compose reads it itself.
    expect(used()).toBe('');
  });

  it('removes what’s older than 30 days, and nothing else', () => {
    for (const name of [EARLY, `deleted-${EARLY}`, 'videos', 'photos']) addFolder(name, 32);
    for (const name of [LATE, `deleted-${LATE}`]) addFolder(name, 29);
    expect(run(['save', backup]).status).toBe(0);
    expect(readdirSync(backup).sort()).toEqual([LATE, NOW, `deleted-${LATE}`, 'lock', 'photos', 'videos']);
  });

  it('leaves no half of a backup if the database can’t be saved, and touches no old one', () => {
    addFolder(EARLY, 32);
    // Of a run that was killed.
    addFolder(`${LATE}.part`, 1);
    const { status, calls } = run(['save', backup], { fails: '*pg_dump*' });
    expect([status, calls.length]).toEqual([1, 1]);
    expect(readdirSync(backup).sort()).toEqual([EARLY, 'lock', 'videos']);
  });

  it('keeps old backups if the videos can’t be saved, and says so', () => {
    addFolder(EARLY, 32);
    const { status, stderr } = run(['save', backup], { fails: '*rclone*' });
    expect([status, stderr]).toEqual([1, 'This one fails.\n']);
    expect(readdirSync(backup).sort()).toEqual([EARLY, NOW, 'lock', 'videos']);
  });

  it('refuses while another backup or restore runs', async () => {
    const holder = spawn('flock', [join(backup, 'lock'), 'sh', '-c', 'echo held; read line']);
    await once(holder.stdout, 'data');
    const { status, stderr, calls } = run(['save', backup]);
    holder.stdin.end();
    await once(holder, 'exit');
    expect([status, calls]).toEqual([1, []]);
    expect(stderr).toContain('Another backup or restore');
  });
});

describe.runIf(process.platform === 'linux')('restore', () => {
  beforeEach(() => {
    for (const time of [EARLY, TIME, LATE]) {
      addBackup(time);
      addFolder(`deleted-${time}`, 1);
    }
    addFolder(`deleted-${NOW}`, 0);
  });

  it('brings back the database and the videos of that time before it starts the app', () => {
    const { status, calls } = run(['restore', backup, TIME]);
    expect(status).toBe(0);
    expect(calls.map((call) => call.replace(/ UPDATE .*/, ' UPDATE'))).toEqual([
      'stop app worker',
      `${IN_POSTGRES} dropdb --username postgres --if-exists --force daylight`,
      `${IN_POSTGRES} createdb --username postgres --owner daylight --template template0 --encoding UTF8 --locale C.UTF-8 daylight`,
      `${IN_POSTGRES} pg_restore --username daylight --no-owner --no-privileges --exit-on-error --dbname daylight`,
      'run --rm --no-deps -T bucket',
      `${RCLONE} copy /backup/videos s3:daylight`,
      // What was deleted since, the oldest last.
      `${RCLONE} copy /backup/deleted-${NOW} s3:daylight`,
      `${RCLONE} copy /backup/deleted-${LATE} s3:daylight`,
      'run --rm --no-deps -T migrate',
      `${IN_POSTGRES} psql --username postgres --set ON_ERROR_STOP=1 --dbname daylight --command UPDATE`,
      'run --rm --no-deps -T app scripts/run.mjs doctor --data',
      'run --rm --no-deps -T app scripts/run.mjs doctor --repair',
      'up -d',
    ]);
    expect(readFileSync(join(folder, 'restored'), 'utf8')).toBe(`the database of ${TIME}`);
  });

  it.each(['*pg_restore*', '*copy*', '*migrate*', '*UPDATE*'])(
    'stops where %s fails, without starting the app',
    (fails) => {
      const { status, stderr, calls } = run(['restore', backup, TIME], { fails });
      expect(status).toBe(1);
      expect(calls.at(-1)).toContain(fails.replaceAll('*', ''));
      expect(stderr).toContain('The app and the worker stay stopped');
    },
  );

  it('starts the app although the doctor finds something', () => {
    const { status, calls } = run(['restore', backup, TIME], { fails: '*doctor*' });
    expect([status, calls.at(-1)]).toEqual([0, 'up -d']);
  });

  it.each([
    ['another', "AUTH_SECRET='another-secret'\n", 1],
    ['the same without quotes', 'AUTH_SECRET=the-secret\n', 0],
    ['a newer one besides', "AUTH_SECRET='a-newer-secret,the-secret'\n", 0],
  ])('with %s AUTH_SECRET, it refuses only if the backup’s isn’t there', (_, env, status) => {
    writeFileSync(join(folder, 'project/.env'), env);
    const result = run(['restore', backup, TIME]);
    expect(result.status).toBe(status);
    if (status === 0) return;
    expect(result.calls).toEqual([]);
    expect(result.stderr).toContain("AUTH_SECRET in .env isn't the one of the backup");
    expect(result.stderr).not.toContain('the-secret');
    expect(run(['restore', backup, TIME, '--other-secret']).status).toBe(0);
  });

  it.each([[''], ['2026-11-24T033000Z'], ['videos'], [`${NOW}.part`]])(
    'names the backups there are instead of “%s”',
    (time) => {
      addBackup(`${NOW}.part`);
      const { status, stderr, calls } = run(['restore', backup, ...(time ? [time] : [])]);
      expect([status, calls]).toEqual([1, []]);
      expect(stderr).toMatch(new RegExp(`:\n${[EARLY, TIME, LATE].join('\n')}\n$`));
    },
  );
});

it.runIf(process.platform === 'linux')('says how to call it', () => {
  for (const args of [[], ['save'], ['restore'], ['erase', backup], ['restore', backup, TIME, '--force']]) {
    const { status, stderr } = run(args);
    expect([status, stderr]).toEqual([1, expect.stringContaining('compose-backup.sh save FOLDER')]);
  }
});
