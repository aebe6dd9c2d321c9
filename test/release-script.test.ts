import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = resolve(import.meta.dirname, '../deploy/release.sh');
const SECRET = 'a-secret-of-roots-shell';
let folder: string;
let programs: string;
let base: string;

/** Puts a program in place of the system's. */
function program(name: string, body: string): void {
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** Makes an origin with a commit, and its clone, as the guide does. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-release-'));
  [programs, base] = [join(folder, 'bin'), join(folder, 'daylight')];
  const origin = join(folder, 'origin');
  for (const path of [programs, join(base, 'releases'), origin]) mkdirSync(path, { recursive: true });
  writeFileSync(join(origin, 'package.json'), '{}');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args]);
  git('init', '--quiet', '--initial-branch=main', origin);
  git('-C', origin, 'add', '.');
  git('-C', origin, 'commit', '--quiet', '--message', 'First');
  git('clone', '--quiet', origin, join(base, 'source'));

  program('install', 'for last; do :; done; mkdir -p "$last"');
  program('systemctl', ':');
  // Notes as whom the next program runs.
  program(
    'setpriv',
    `options=; while case $1 in --*) ;; *) false ;; esac; do options="$options $1"; shift; done\n` +
      `echo "$options" > '${folder}/options'\nexec "$@"`,
  );
  program(
    'npm',
    `{ echo "npm $*"; cat '${folder}/options'; env; if [ -e .env ] || [ -L .env ]; then echo 'sees .env'; fi; echo; } >> '${folder}/called'`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function release(): void {
  execFileSync('sh', [script, 'main'], {
    env: {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      DAYLIGHT_HOME: base,
      NPM_TOKEN: SECRET,
      https_proxy: 'http://proxy.example.com:3128',
    },
  });
}

it.runIf(process.platform === 'linux')(
  'a release gives other people’s code no settings, no secrets, and no install scripts',
  () => {
    release();
    const calls = readFileSync(join(folder, 'called'), 'utf8').trim().split('\n\n');
    expect(calls.map((call) => call.split('\n')[0])).toEqual([
      'npm ci --ignore-scripts --no-audit --no-fund',
      'npm run --if-present postinstall',
      'npm run build',
      'npm run db:migrate',
    ]);
    const migrate = calls.pop() ?? '';
    expect(migrate).toContain('--reuid=daylight --regid=daylight --init-groups');
    expect(migrate).toContain('sees .env');
    for (const call of calls) {
      expect(call).toContain('--reuid=daylight --regid=nogroup --clear-groups');
      expect(call).not.toContain('sees .env');
      expect(call).toContain('https_proxy=http://proxy.example.com:3128');
    }
    expect([...calls, migrate].filter((call) => call.includes(SECRET))).toEqual([]);
    expect(readlinkSync(join(base, 'current'))).toContain(join(base, 'releases'));
  },
);

it.runIf(process.platform === 'linux')('a commit that was built before isn’t built again', () => {
  release();
  rmSync(join(folder, 'called'));
  release();
  expect(readFileSync(join(folder, 'called'), 'utf8')).toMatch(/^npm run db:migrate\n/);
});
