import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectRoot } from '@/local/up/data-dir';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'daylight-build-'));
  mkdirSync(join(folder, 'scripts'));
  for (const path of ['package.json', 'scripts/require-build-tools.mjs'])
    copyFileSync(join(projectRoot, path), join(folder, path));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('says how to install what a build needs, instead of that a program isn’t found', () => {
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('Run `npm ci --include=dev`, then `npm run build`.');
  expect(stderr).toContain('NODE_ENV');
  expect(stderr).not.toMatch(/not found/);
});

it('says nothing once everything is installed', () => {
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const script = join(folder, 'scripts/require-build-tools.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
