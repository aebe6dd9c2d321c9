/**
 * Bundles the speech worker, a thread that runs from the project's folder and finds the models in node_modules, and what
 * browsers load to recognize speech. Run by `npm run build` and `npm run dev`. Tests need the worker only.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { MERGED_DECODER, SPEECH_FILES } from '@/lib/video/speech/files';
import { buildBrowserSpeech, replaceFile } from './browser-speech';
import { splitDecoder } from './moonshine-models';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes the two models that Moonshine's decoder is taken apart into, for the engine to read. */
export async function buildSpeechModels(): Promise<void> {
  const { projection, decoder } = splitDecoder(await readFile(join(root, MERGED_DECODER)));
  const write = (path: string, model: Uint8Array) =>
    replaceFile(join(root, path), (temporary) => writeFile(temporary, model));
  await write(SPEECH_FILES['moonshine_projection.onnx'], projection);
  await write(SPEECH_FILES['moonshine_decoder.onnx'], decoder);
}

/** Writes `build/speech/worker.mjs` and its models. Programs that are reading earlier ones keep them. */
export async function buildSpeechWorker(): Promise<void> {
  await buildSpeechModels();
  const outfile = join(root, 'build/speech/worker.mjs');
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib/video/speech/node-worker.ts')],
    outfile,
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  for (const { contents } of outputFiles)
    await replaceFile(outfile, (temporary) => writeFile(temporary, contents));
}

/**
 * Writes what the server and browsers need to recognize speech. `build/speech/browser.json` tells next.config.ts where
 * browsers find theirs.
 */
export async function buildSpeech(): Promise<void> {
  await buildSpeechWorker();
  const browser = await buildBrowserSpeech(root, join(root, 'public/speech'));
  const about = JSON.stringify(browser);
  await replaceFile(join(root, 'build/speech/browser.json'), (temporary) => writeFile(temporary, about));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildSpeech();
