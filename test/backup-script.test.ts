import { chmodSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installServer, type Server } from './server-scripts';

const SETTINGS = [
  'DATABASE_URL=postgres://ada:p%40ss%2Fw%C3%B6rd%25@db.example.com:5433/daylight?sslmode=require',
  'S3_ENDPOINT=https://storage.example.com',
  'S3_REGION=us-east-1',
  'S3_BUCKET=journal',
  'S3_ACCESS_KEY_ID=the-key',
  'S3_SECRET_ACCESS_KEY=the-secret',
  'S3_FORCE_PATH_STYLE=1',
];
const TIME = /^\d{4}-\d\d-\d\dT\d{6}Z$/;
const COMMIT = '80d4b2cd0f6b4f0aa4c2c2c1f5d0f6b4f0aa4c2c';
let server: Server;
let folder: string;

describe.runIf(process.platform === 'linux')('daylight-backup', () => {
  beforeEach(async () => {
    server = await installServer();
    folder = join(server.root, 'backup');
    server.write('etc/daylight/daylight.env', `${SETTINGS.join('\n')}\n`);
    server.program('readlink', `echo /opt/daylight/releases/${COMMIT}`);
    server.program('pg_dump', 'echo "pg_dump $* PGPASSWORD=$PGPASSWORD" >> "$log"; echo dump > "$4"');
    server.program('rclone', '{ echo "rclone $*"; env | grep ^RCLONE | sort; } | paste -sd "|" >> "$log"');
  });
  afterEach(() => server.remove());

  const backUp = () => server.run('daylight-backup', [folder]);
  const saved = () => readdirSync(folder).sort();
  const read = (path: string) => server.read(`backup/${path}`);

  /** Makes a backup with these settings. @returns how Postgres's and storage's programs were called */
  async function callsWith(settings: string[]): Promise<string[]> {
    server.write('etc/daylight/daylight.env', `${settings.join('\n')}\n`);
    expect(await backUp()).toMatchObject({ code: 0 });
    return server.takeLog();
  }

  it.each([
    ['plain', (line: string) => line],
    ['in double quotes', (line: string) => line.replace(/=(.*)/, '="$1"')],
    ['in single quotes', (line: string) => line.replace(/=(.*)/, "='$1'")],
    ['followed by comments', (line: string) => `${line}  # from the guide`],
  ])('takes settings that are %s, and shows no secret in the list of processes', async (_, write) => {
    const [dump, sync = ''] = await callsWith(SETTINGS.map(write));
    const time = saved().find((name) => TIME.test(name));
    expect(dump).toBe(
      `pg_dump --format custom --file ${folder}/${time}.part/database.dump ` +
        'postgres://ada@db.example.com:5433/daylight?sslmode=require PGPASSWORD=p@ss/wörd%',
    );
    const [command, ...settings] = sync.split('|');
    expect(command).toBe(
      `rclone sync s3:journal ${folder}/videos --exclude /exports/** --backup-dir ${folder}/deleted-${time}`,
    );
    expect(settings).toEqual(
      expect.arrayContaining([
        'RCLONE_CONFIG_S3_TYPE=s3',
        'RCLONE_CONFIG_S3_PROVIDER=Other',
        'RCLONE_CONFIG_S3_ENDPOINT=https://storage.example.com',
        'RCLONE_CONFIG_S3_REGION=us-east-1',
        'RCLONE_CONFIG_S3_ACCESS_KEY_ID=the-key',
        'RCLONE_CONFIG_S3_SECRET_ACCESS_KEY=the-secret',
        'RCLONE_CONFIG_S3_FORCE_PATH_STYLE=true',
      ]),
    );
  });

  it('calls no-verify what pg_dump calls it', async () => {
    const database =
      'DATABASE_URL=postgres://ada:no-verify@db.example.com/daylight?application_name=a&sslmode=no-verify';
    const [dump] = await callsWith([database, ...SETTINGS.slice(1)]);
    expect(dump).toContain('postgres://ada@db.example.com/daylight?application_name=a&sslmode=require');
  });

  it('leaves an address without a password as it is', async () => {
    const [dump] = await callsWith(['DATABASE_URL=postgres:///daylight?host=/run', ...SETTINGS.slice(1)]);
    expect(dump).toMatch(/postgres:\/\/\/daylight\?host=\/run PGPASSWORD=$/);
  });

  it('saves the settings and the commit with each database, and overwrites none that day', async () => {
    await backUp();
    server.write('etc/daylight/daylight.env', `${SETTINGS.join('\n')}\nAUTH_SECRET=another\n`);
    await backUp();
    const [first, second, ...others] = saved().filter((name) => TIME.test(name));
    expect(others).toEqual([]);
    expect(read(`${first}/daylight.env`)).not.toContain('another');
    expect(read(`${second}/daylight.env`)).toContain('AUTH_SECRET=another');
    for (const time of [first, second]) {
      expect(read(`${time}/database.dump`)).toBe('dump\n');
      expect(read(`${time}/commit`)).toBe(`${COMMIT}\n`);
    }
  });

  it.each(['pg_dump', 'rclone'])(
    'keeps old backups, and makes no new one, while %s fails',
    async (program) => {
      await backUp();
      const [old = ''] = saved().filter((name) => TIME.test(name));
      utimesSync(join(folder, old), 0, 0);
      server.program(program, 'exit 3');
      expect(await backUp()).toMatchObject({ code: 3 });
      const names = saved().filter((name) => /^\d/.test(name));
      expect(names).toEqual([old, expect.stringMatching(/^\S+Z\.part$/)]);
    },
  );

  it('removes what’s older than 30 days, and what failed runs left', async () => {
    const old = ['2026-01-01T033000Z', 'deleted-2026-01-01T033000Z', 'daylight-2026-01-01.dump', 'mine'];
    for (const name of [...old, '2026-01-02T033000Z.part', '2026-01-03T033000Z']) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    for (const name of old) utimesSync(join(folder, name), 0, 0);
    expect(await backUp()).toMatchObject({ code: 0 });
    expect(saved()).toEqual(['.lock', '2026-01-03T033000Z', expect.stringMatching(TIME), 'mine', 'videos']);
  });

  it('runs once at a time', async () => {
    server.program('pg_dump', `'${server.root}/usr/local/sbin/daylight-backup' '${folder}'`);
    const { code, stderr } = await backUp();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Another backup or restore uses ${folder}. Try again when it's done.\n`,
    });
  });

  it('refuses a folder that others may write to', async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const { code, stderr } = await backUp();
    expect(code).toBe(1);
    expect(stderr).toContain(`Others may write to ${folder}.`);
    expect(server.takeLog()).toEqual([]);
  });
});
