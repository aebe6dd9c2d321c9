import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeEnv, newEnvFolder } from './compose-settings';

let folder: string;
beforeEach(() => {
  folder = newEnvFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs deploy/new-env.sh, which must fail. */
function refuse(): { status: number; stderr: string } {
  try {
    makeEnv(folder);
  } catch (error) {
    return error as { status: number; stderr: string };
  }
  throw new Error('The script succeeded.');
}

it('writes a file that only its owner can read', () => {
  makeEnv(folder);
  expect((statSync(join(folder, '.env')).mode & 0o777).toString(8)).toBe('600');
});

it('quotes each value so that Docker Compose doesn’t expand a $ in it', () => {
  const lines = makeEnv(folder)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual(expect.arrayContaining(["SMTP_URL=''", "SIGNUP='invite'", "COMPOSE_PROFILES=''"]));
  expect(lines.filter((line) => !/^[A-Z0-9_]+='[^']*'$/.test(line))).toEqual([]);
});

it('leaves settings that exist as they are, and says so', () => {
  const written = makeEnv(folder);
  const { status, stderr } = refuse();
  expect([status, readFileSync(join(folder, '.env'), 'utf8')]).toEqual([1, written]);
  expect(stderr).toContain('.env exists already, and stays as it is');
});

it('makes no new secrets for a file that the shell has just emptied', () => {
  writeFileSync(join(folder, '.env'), '');
  const { status, stderr } = refuse();
  expect([status, readFileSync(join(folder, '.env'), 'utf8')]).toEqual([1, '']);
  expect(stderr).toContain('restore them from a backup');
});

it('writes nothing if it can’t make secrets', () => {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${programs}:${path}`;
  try {
    expect(refuse().status).toBe(1);
  } finally {
    process.env.PATH = path;
  }
  expect(existsSync(join(folder, '.env'))).toBe(false);
});
