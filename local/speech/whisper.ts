import type { Engine, SpokenWord } from './engine';

/** The multilingual base model, exported with the attention heads that word timestamps need. */
const model = 'onnx-community/whisper-base_timestamped';
/** In milliseconds. The model (80 MB) may have to be downloaded first. */
const longestLoad = 5 * 60_000;

/** The part of `@huggingface/transformers` that's used here. It isn't a dependency and may not be installed. */
type Recognise = (
  samples: Float32Array,
  options: { return_timestamps: 'word'; language?: string; task: 'transcribe' },
) => Promise<{ chunks?: { text: string; timestamp: [number, number | null] }[] }>;
type Transformers = {
  env: { cacheDir: string };
  pipeline(task: 'automatic-speech-recognition', model: string, options: { dtype: 'q8' }): Promise<Recognise>;
};

/** Returns Whisper if the library is installed and its model is in `cacheDir` or can be downloaded. */
export async function findWhisper(cacheDir: string): Promise<Engine | undefined> {
  // Joined at run time, so that neither the compiler nor a bundler looks for the package.
  const specifier = ['@huggingface', 'transformers'].join('/');
  let timer: NodeJS.Timeout | undefined;
  try {
    const { env, pipeline } = (await import(/* @vite-ignore */ specifier)) as Transformers;
    env.cacheDir = cacheDir;
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The model took too long to load.')), longestLoad);
    });
    const recognise = await Promise.race([
      pipeline('automatic-speech-recognition', model, { dtype: 'q8' }),
      tooLong,
    ]);
    return {
      name: 'whisper',
      model,
      describe: `Whisper (${model})`,
      understands: () => true,
      hear: async ({ samples }, { language }) => {
        const floats = Float32Array.from(samples, (sample) => sample / 32768);
        const { chunks = [] } = await recognise(floats, {
          return_timestamps: 'word',
          task: 'transcribe',
          ...(language && { language }),
        });
        const words: SpokenWord[] = chunks.map(({ text, timestamp: [start, end] }) => ({
          word: text.trim(),
          start,
          end: end ?? samples.length / 16_000,
        }));
        return { language: language ?? 'english', words: words.filter(({ word }) => word !== '') };
      },
    };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
