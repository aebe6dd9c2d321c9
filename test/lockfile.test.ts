import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

/** Parts of WebAssembly builds that are never installed here. npm 10 and 11 all accept them as they are. */
const ACCEPTED = /^invalid: @emnapi\//;

/** Returns what npm finds wrong with package-lock.json. It exits with 1 if there's anything. */
const findProblems = () =>
  new Promise<string[]>((done) => {
    execFile(
      'npm',
      ['ls', '--all', '--json', '--package-lock-only'],
      { cwd: resolve(import.meta.dirname, '..'), maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout) => done((JSON.parse(stdout) as { problems?: string[] }).problems ?? []),
    );
  });

// The npm that wrote the lock may tolerate a peer of the wrong version, which the npm of Node 22 or 24 refuses to install.
it('can be installed with `npm ci` by the npm of every supported Node', async () => {
  expect((await findProblems()).filter((problem) => !ACCEPTED.test(problem))).toEqual([]);
}, 60_000);
