import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { projectRoot } from '@/local/up/data-dir';
import { buildBrowserSpeech } from '@/scripts/browser-speech';

const DAY = 24 * 60 * 60;

let folder: string;
let build: BrowserSpeech;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daylight-speech-'));
  build = await buildBrowserSpeech(projectRoot, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pathOf = (address: string) => join(folder, address.replace('/speech/', ''));

it('has every file that the worker loads, of the size that it expects', async () => {
  const worker = await readFile(pathOf(`${build.folder}/worker.js`), 'utf8');
  const named = [...worker.matchAll(/path:"(\/speech\/models\/[^"]+)",bytes:([\de.]+)/g)];
  const sizes = await Promise.all(
    named.map(async ([, path = '', bytes]) => {
      expect((await stat(pathOf(path))).size).toBe(Number(bytes));
      return Number(bytes);
    }),
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(build.bytes);
  expect((await readdir(pathOf(build.folder))).sort()).toEqual(['audio-tap.js', 'worker.js']);
});

it('makes no code from text, which the worker’s policy rejects', async () => {
  const worker = await readFile(pathOf(`${build.folder}/worker.js`), 'utf8');
  expect(worker).not.toMatch(/new Function\(|\beval\(/);
});

it('keeps files of earlier builds for 14 days', async () => {
  const [fresh, old, current] = ['0-fresh.onnx', '0-old.onnx', ''].map((name) =>
    join(folder, 'models', name),
  );
  const longAgo = Date.now() / 1000 - 15 * DAY;
  for (const path of [fresh, old]) await writeFile(path ?? '', 'model');
  await utimes(old ?? '', longAgo, longAgo);
  const models = (await readdir(current ?? '')).filter((name) => !name.startsWith('0-'));
  for (const name of models) await utimes(join(folder, 'models', name), longAgo, longAgo);

  const again = await buildBrowserSpeech(projectRoot, folder);
  expect(again).toEqual(build);
  expect((await readdir(join(folder, 'models'))).sort()).toEqual([...models, '0-fresh.onnx'].sort());
});
