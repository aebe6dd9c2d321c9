import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { nameOf, readLockfile } from '@/scripts/audit-deps';

const root = resolve(import.meta.dirname, '..');

/** Parts of WebAssembly builds that are never installed here. npm 10 and 11 all accept them as they are. */
const ACCEPTED = /^invalid: @emnapi\//;

/** What lib/video/speech imports, or reads files of. */
const SPEECH_PACKAGES = [
  ...['@moonshine-ai/moonshine-js', '@ricky0123/vad-web', 'llama-tokenizer-js', 'onnxruntime-web'],
  'soundswallower',
];

/** Returns the folder of a package that one in another folder requires, as Node looks for it. */
function findFolder(packages: ReturnType<typeof readLockfile>, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = join(folder, 'node_modules', name);
    if (packages[candidate]) return candidate;
    if (!folder) throw new Error(`${name}, which ${from} depends on, isn't locked`);
  }
}

/** Returns what npm lists, with what it finds wrong with package-lock.json. It exits with 1 if there's anything. */
const listPackages = () =>
  new Promise<{ name?: string; problems?: string[] }>((done) => {
    execFile(
      'npm',
      ['ls', '--all', '--json', '--package-lock-only'],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout) => done(JSON.parse(stdout)),
    );
  });

// The npm that wrote the lock may tolerate a peer of the wrong version, which the npm of Node 22 or 24 refuses to install.
it('can be installed with `npm ci` by the npm of every supported Node', async () => {
  const { name, problems = [] } = await listPackages();
  // Without it, npm said something else than what's wrong.
  expect(name).toBe('daylight');
  expect(problems.filter((problem) => !ACCEPTED.test(problem))).toEqual([]);
}, 60_000);

// npm 12 runs no script that package.json doesn't allow, and lists those that it says nothing about.
it('allows ffmpeg’s download, and no other package’s script', () => {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const withScript = Object.entries(readLockfile(root)).filter(
    ([, { hasInstallScript }]) => hasInstallScript,
  );
  const names = new Set(withScript.map(([folder, locked]) => nameOf(folder, locked)));
  expect(allowScripts).toEqual(
    Object.fromEntries([...names].map((name) => [name, name === 'ffmpeg-static'])),
  );
});

// The speech engine has to work wherever Node and browsers do, without a compiler or a download.
it('installs the speech engine without scripts, for every platform', () => {
  const packages = readLockfile(root);
  const folders = new Set(SPEECH_PACKAGES.map((name) => findFolder(packages, '', name)));
  for (const folder of folders) {
    const { dependencies, optionalDependencies } = packages[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      folders.add(findFolder(packages, folder, name));
    }
  }
  const limited = [...folders].filter((folder) => {
    const { os, cpu, hasInstallScript } = packages[folder] ?? {};
    return os || cpu || hasInstallScript;
  });
  expect(limited).toEqual([]);
  expect(folders.size).toBeLessThan(25);
});
