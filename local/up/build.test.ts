import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildOnce, sourceHash } from './build';
import type { Environment } from './data-dir';

function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'daylight-build-'));
  for (const folder of ['app/settings', 'lib', 'local/up', 'scripts', '.next'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    'package.json',
    'package-lock.json',
    'next.config.ts',
    'app/page.tsx',
    'lib/notes.ts',
    'scripts/build-programs.ts',
    'scripts/build-speech.ts',
    'scripts/build-viewer.ts',
    'scripts/build-service-worker.ts',
    'scripts/keep-files.ts',
  ]) {
    writeFileSync(join(root, file), '{}');
  }
  return root;
}

test('the hash changes with what the build reads, and with nothing else', () => {
  const root = checkout();
  const write = (file: string, text = 'changed') => writeFileSync(join(root, file), text);
  const before = sourceHash(root, {});
  write('lib/notes.test.ts');
  write('local/up/up.ts');
  write('README.md');
  write('.next/BUILD_ID');
  write('next-env.d.ts');
  expect(sourceHash(root, { PORT: '3001' })).toBe(before);

  const seen = new Set([before]);
  const differs = (env: Environment = {}) => {
    const hash = sourceHash(root, env);
    expect(seen.has(hash)).toBe(false);
    seen.add(hash);
  };
  write('lib/notes.ts');
  differs();
  write('app/settings/page.tsx');
  differs();
  write('scripts/worker.ts');
  differs();
  write('package-lock.json');
  differs();
  write('next.config.ts');
  differs();
  differs({ NEXT_PUBLIC_NAME: 'Daylight' });
  rmSync(join(root, 'app/settings/page.tsx'));
  differs();
});

test('the hash changes when a file is renamed', () => {
  const root = checkout();
  const before = sourceHash(root, {});
  rmSync(join(root, 'lib/notes.ts'));
  writeFileSync(join(root, 'lib/tags.ts'), '{}');
  expect(sourceHash(root, {})).not.toBe(before);
});

/** Makes a checkout whose Next is a script. */
function buildable(next: string) {
  const root = checkout();
  const program = join(root, 'node_modules/next/dist/bin/next');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(program, next);
  const build = () =>
    buildOnce({ root, env: process.env, log: () => undefined, stop: new AbortController().signal });
  return { root, program, build };
}

const WORKING_NEXT = 'require("node:fs").writeFileSync(".next/BUILD_ID", "1");';

test("a failed build says why and doesn't count as done", async () => {
  const { root, program, build } = buildable('console.log("page.tsx is wrong"); process.exit(1);');
  await expect(build()).rejects.toThrow(/Couldn't build the site:\npage\.tsx is wrong/);
  writeFileSync(program, WORKING_NEXT);
  writeFileSync(
    join(root, 'scripts/build-programs.ts'),
    'console.log("worker.ts is wrong"); process.exit(1);',
  );
  await expect(build()).rejects.toThrow('worker.ts is wrong');
  writeFileSync(join(root, 'scripts/build-programs.ts'), '');
  // Two copies that start at the same time share one build.
  expect((await Promise.all([build(), build()])).sort()).toEqual([false, true]);
  expect(await build()).toBe(false);
  writeFileSync(join(root, 'lib/notes.ts'), 'changed');
  expect(await build()).toBe(true);
});

test('a build that lost a file it had made outside .next is made again', async () => {
  const { root, build } = buildable(WORKING_NEXT);
  writeFileSync(
    join(root, 'scripts/build-speech.ts'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync('build/speech', { recursive: true });
    writeFileSync('build/speech/worker.mjs', '');`,
  );
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
  rmSync(join(root, 'build/speech/worker.mjs'));
  expect(await build()).toBe(true);
  expect(await build()).toBe(false);
});
