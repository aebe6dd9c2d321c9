import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadSpeechFile, SpeechFile } from './types';

const MOONSHINE = 'node_modules/@moonshine-ai/moonshine-js/dist/model/tiny/quantized';

/** Moonshine’s decoder as it’s published, of which `scripts/build-speech.ts` makes two models. */
export const MERGED_DECODER = `${MOONSHINE}/decoder_model_merged.onnx`;

/** Where the engine's files are in the project's folder: in packages, or built from one's. */
export const SPEECH_FILES: Record<SpeechFile, string> = {
  'onnxruntime.wasm': 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
  'silero_vad.onnx': 'node_modules/@ricky0123/vad-web/dist/silero_vad_v5.onnx',
  'moonshine_encoder.onnx': `${MOONSHINE}/encoder_model.onnx`,
  'moonshine_projection.onnx': 'build/speech/moonshine_projection.onnx',
  'moonshine_decoder.onnx': 'build/speech/moonshine_decoder.onnx',
  'soundswallower.wasm': 'node_modules/soundswallower/soundswallower.web.wasm',
  'en-us/dict.txt': 'node_modules/soundswallower/model/en-us/dict.txt',
  'en-us/feat_params.json': 'node_modules/soundswallower/model/en-us/feat_params.json',
  'en-us/mdef': 'node_modules/soundswallower/model/en-us/mdef',
  'en-us/means': 'node_modules/soundswallower/model/en-us/means',
  'en-us/noisedict.txt': 'node_modules/soundswallower/model/en-us/noisedict.txt',
  'en-us/sendump': 'node_modules/soundswallower/model/en-us/sendump',
  'en-us/transition_matrices': 'node_modules/soundswallower/model/en-us/transition_matrices',
  'en-us/variances': 'node_modules/soundswallower/model/en-us/variances',
};

const inProject = (file: string) => join(/*turbopackIgnore: true*/ process.cwd(), file);

/**
 * Reads the engine's files from the project's folder, wherever a bundler put this code. What it reads isn't traced:
 * next.config.ts names it, for the route that runs jobs only.
 */
export const readSpeechFile: ReadSpeechFile = (file) => readFile(inProject(SPEECH_FILES[file]));

/** Returns what the built-in engine needs and isn't there: paths from the project's folder. */
export async function findMissingFiles(): Promise<string[]> {
  const needed = ['build/speech/worker.mjs', ...Object.values(SPEECH_FILES)];
  const isMissing = (file: string) =>
    access(inProject(file)).then(
      () => [],
      () => [file],
    );
  return (await Promise.all(needed.map(isMissing))).flat();
}
