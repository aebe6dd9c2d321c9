import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedFiles, relatedGlobs, relatedTests, selectRelated } from './related';

let root: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const write = (path: string, text = '') => {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const commit = () => {
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'A change');
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'daylight-related-'));
  git('init', '-q');
  write('lib/tags/color.ts', 'export const color = 1;');
  write('lib/tags/service.ts', "import { color } from './color';\nexport const tag = color;");
  write('lib/tags/color.test.ts', "import { color } from './color';");
  write('lib/tags/service.test.ts', "import { tag } from '@/lib/tags/service';");
  write('lib/notes/notes.test.ts', "import { note } from './notes';");
  write('README.md');
  commit();
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('finds the tests that import a changed file, the nearest first', () => {
  expect(relatedTests(root, ['lib/tags/color.ts'], 12)).toEqual([
    'lib/tags/color.test.ts',
    'lib/tags/service.test.ts',
  ]);
  expect(relatedTests(root, ['lib/tags/color.ts'], 1)).toEqual(['lib/tags/color.test.ts']);
  expect(relatedTests(root, ['README.md'], 12)).toEqual([]);
});

it('takes what isn’t committed for the change, with new files, or else the last commit', () => {
  write('lib/tags/service.ts', "import { color } from './color';\nexport const tag = color + 1;");
  write('lib/tags/new.test.ts');
  expect(changedFiles(root)).toEqual(['lib/tags/service.ts', 'lib/tags/new.test.ts']);
  commit();
  expect(changedFiles(root).sort()).toEqual(['lib/tags/new.test.ts', 'lib/tags/service.ts']);
});

it('spares `vitest related` the tests that reach none of its files', () => {
  write('app/[id]/route.test.ts', "import { color } from '@/lib/tags/color';");
  const args = ['--run', '--config', 'test/vitest.config.ts'];
  const found = ['lib/tags/color.test.ts', 'lib/tags/service.test.ts'];
  expect(relatedGlobs(root, ['related', ...args, 'lib/tags/service.ts'])).toEqual(found.slice(1));
  expect(relatedGlobs(root, ['related', ...args, join(root, 'lib/tags/color.ts')])?.sort()).toEqual([
    'app/\\[id\\]/route.test.ts',
    ...found,
  ]);
  expect(relatedGlobs(root, ['related', ...args, 'README.md'])).toBeUndefined();
  expect(relatedGlobs(root, ['run', ...args, 'lib/tags/service.ts'])).toBeUndefined();
});

it('runs lint alone for a change that no unit test reaches', () => {
  write('README.md', 'Changed.');
  expect(selectRelated(root)).toEqual({ suites: ['lint'], files: {} });
  write('lib/tags/color.ts', 'export const color = 2;');
  expect(selectRelated(root).suites).toEqual(['lint', 'unit']);
});
