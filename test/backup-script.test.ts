import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../deploy/backup.sh');
let folder: string;

/** Writes programs that note how they're called in a file, in place of those of Postgres and rclone. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-backup-'));
  const program = (name: string, more: string) => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' ${more} "$@" > '${path}.called'\n`);
    chmodSync(path, 0o755);
  };
  program('rclone', '');
  program('pg_dump', '"$PGPASSWORD"');
  writeFileSync(join(folder, 'pg_dump'), 'touch "$4"\n', { flag: 'a' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a backup. @returns what the programs were called with, by line, the password first */
async function backUp(settings: string) {
  const file = join(folder, 'daylight.env');
  writeFileSync(file, settings);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, DAYLIGHT_SETTINGS: file };
  await promisify(execFile)('sh', [script, join(folder, 'backup')], { env });
  const called = (name: string) => readFileSync(join(folder, `${name}.called`), 'utf8').split('\n');
  const [password, ...dumped] = called('pg_dump');
  return { password, dumped, synced: called('rclone') };
}

it.each([
  ['plain', (value: string) => value],
  ['in double quotes', (value: string) => `"${value}"`],
  ['in single quotes', (value: string) => `'${value}'`],
])('takes settings that are %s, and shows no password in the list of processes', async (_, quote) => {
  const { password, dumped, synced } = await backUp(
    `DATABASE_URL=${quote('postgres://ada:p%40ss%2Fw%C3%B6rd%25@db.example.com:5433/daylight?sslmode=require')}\n` +
      `S3_BUCKET=${quote('journal')}\n`,
  );
  expect(password).toBe('p@ss/wörd%');
  expect(dumped).toContain('postgres://ada@db.example.com:5433/daylight?sslmode=require');
  expect(dumped.join()).not.toContain('p%40ss');
  expect(synced).toContain('s3:journal');
});

it('calls no-verify what pg_dump calls it', async () => {
  const { dumped } = await backUp(
    'DATABASE_URL=postgres://ada:no-verify@db.example.com/daylight?application_name=a&sslmode=no-verify\nS3_BUCKET=journal\n',
  );
  expect(dumped).toContain('postgres://ada@db.example.com/daylight?application_name=a&sslmode=require');
});

it('leaves an address without a password as it is', async () => {
  const { password, dumped } = await backUp(
    'DATABASE_URL=postgres:///daylight?host=/run\nS3_BUCKET=journal\n',
  );
  expect([password, dumped]).toEqual(['', expect.arrayContaining(['postgres:///daylight?host=/run'])]);
});
