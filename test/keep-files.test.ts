import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';

const DAY = 24 * 60 * 60;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daylight-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Does what a build does to its folder: only its cache stays. */
async function build(...names: string[]): Promise<void> {
  await rm(join(folder, 'static'), { recursive: true, force: true });
  for (const name of names) {
    const path = join(folder, 'static', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, name);
  }
  const script = join(projectRoot, 'scripts/keep-files.ts');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, folder], { cwd: projectRoot });
}

async function listServed(): Promise<string[]> {
  const files = await readdir(join(folder, 'static'), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ name }) => name)
    .sort();
}

it('keeps the files of builds of the last 14 days', async () => {
  await build('chunks/first.js', 'chunks/shared.js');
  await build('chunks/second.js', 'chunks/shared.js');
  expect(await listServed()).toEqual(['first.js', 'second.js', 'shared.js']);

  const longAgo = Date.now() / 1000 - 15 * DAY;
  for (const name of ['first.js', 'shared.js'])
    await utimes(join(folder, 'cache/static/chunks', name), longAgo, longAgo);
  await build('chunks/third.js', 'chunks/shared.js');
  expect(await listServed()).toEqual(['second.js', 'shared.js', 'third.js']);
});

it.each(['package.json', 'local/up/build.ts'])('%s keeps them before it copies a build’s files', (path) => {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  // The latter also completes .next/standalone.
  const [keeps, copies] = ['keep-files.ts', 'build-programs.ts'].map((script) => text.indexOf(script));
  expect(keeps).toBeGreaterThan(0);
  expect(copies).toBeGreaterThan(Number(keeps));
});
