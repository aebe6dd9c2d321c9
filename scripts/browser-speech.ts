import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { SPEECH_FILES } from '@/lib/video/speech/files';
import type { ServedFile } from '@/lib/video/speech/shared/model-cache';
import type { SpeechFile } from '@/lib/video/speech/types';

/** How long a file that the latest build doesn't use stays for pages of earlier ones, in milliseconds: 14 days. */
const MAX_AGE = 14 * 24 * 60 * 60 * 1000;

const hashOf = (...parts: Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
};

/** Writes a file that another process may be reading. */
export async function replaceFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await write(temporary);
  await rename(temporary, path);
}

/** Copies the engine's files, under names with a hash of their content. */
async function copyModels(root: string, target: string): Promise<ServedFile[]> {
  return Promise.all(
    (Object.entries(SPEECH_FILES) as [SpeechFile, string][]).map(async ([file, path]) => {
      const source = join(root, path);
      const content = await readFile(source);
      const name = `${hashOf(content)}-${basename(file)}`;
      await replaceFile(join(target, 'models', name), (temporary) => copyFile(source, temporary));
      return { file, path: `/speech/models/${name}`, bytes: content.length };
    }),
  );
}

/** Removes what no build of the last 14 days had. */
async function removeOld(target: string, current: ReadonlySet<string>): Promise<void> {
  for (const folder of [target, join(target, 'models')]) {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (name === 'models') continue;
      if (current.has(path)) await utimes(path, new Date(), new Date());
      else if (Date.now() - (await stat(path)).mtimeMs > MAX_AGE) await rm(path, { recursive: true });
    }
  }
}

/**
 * Writes what recognizes speech in browsers to `target`: the models, and a folder with the worker and the audio
 * worklet. Every path has a hash of its content.
 */
export async function buildBrowserSpeech(root: string, target: string): Promise<BrowserSpeech> {
  const models = await copyModels(root, target);
  const { outputFiles } = await build({
    entryPoints: {
      worker: join(root, 'lib/video/speech/browser-worker.ts'),
      'audio-tap': join(root, 'lib/video/speech/audio-tap.ts'),
    },
    outdir: target,
    tsconfig: join(root, 'tsconfig.json'),
    alias: { 'blob-polyfill': join(root, 'lib/video/speech/native-blob.ts') },
    define: { SPEECH_FILES: JSON.stringify(models) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  const folder = hashOf(...outputFiles.map(({ contents }) => contents));
  for (const { path, contents } of outputFiles)
    await replaceFile(join(target, folder, basename(path)), (temporary) => writeFile(temporary, contents));
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0);
  await removeOld(
    target,
    new Set(
      [folder, ...models.map(({ path }) => `models/${basename(path)}`)].map((name) => join(target, name)),
    ),
  );
  return { folder: `/speech/${folder}`, bytes };
}
