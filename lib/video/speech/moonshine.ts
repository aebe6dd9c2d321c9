import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import type { ReadSpeechFile, SpeechFile } from './types';

/** Moonshine in its parts: from sound to states, from those to what the decoder attends to, and from that to text. */
export interface Moonshine {
  encoder: InferenceSession;
  projection: InferenceSession;
  decoder: InferenceSession;
}

type Model = Extract<SpeechFile, `${string}.onnx`>;

/** Loads onnxruntime once for all models of this thread. Its WebAssembly is read only for the first. */
export function prepareOnnxruntime(wasm: Uint8Array): void {
  env.wasm.wasmBinary = wasm;
  // More threads need pages that are isolated from other origins, and a job has other jobs beside it.
  env.wasm.numThreads = 1;
  env.logLevel = 'error';
}

/** Opens a model. @throws if it can't be read or isn't one */
export async function openModel(read: ReadSpeechFile, model: Model): Promise<InferenceSession> {
  return InferenceSession.create(await read(model), { enableCpuMemArena: false });
}

/** Opens Moonshine's models. @throws as `openModel` does */
export async function openMoonshine(read: ReadSpeechFile): Promise<Moonshine> {
  return {
    encoder: await openModel(read, 'moonshine_encoder.onnx'),
    projection: await openModel(read, 'moonshine_projection.onnx'),
    decoder: await openModel(read, 'moonshine_decoder.onnx'),
  };
}

/** What every text starts and ends with. */
export const START_TOKEN = 1;
export const END_TOKEN = 2;

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;

const cacheNames = (part: 'decoder' | 'encoder') =>
  Array.from({ length: LAYERS }, (_, layer) => [`${layer}.${part}.key`, `${layer}.${part}.value`]).flat();
const TEXT_CACHE = cacheNames('decoder');
const SOUND_CACHE = cacheNames('encoder');

/** Tensors by name. */
type Tensors = ReadonlyMap<string, Tensor>;

/** What the decoder attends to in a passage: the same for all of its texts. */
type Sound = Tensors;

/** What the decoder keeps of texts, so that it computes nothing twice. Of shape [texts, heads, tokens, head size]. */
type TextCache = Tensors;

/** What the decoder says after each token that it was given. */
interface DecoderOutput {
  /** Of shape [texts, tokens, vocabulary]. */
  logits: Tensor;
  cache: TextCache;
}

/** Kept as long as their samples are, since a passage is decoded, and then a text is read along with it. */
const encoded = new WeakMap<Float32Array, Promise<Sound>>();

/** Listens to at most 30 s of speech. It starts with speech: from 2 s of silence on, the model hears nothing at all. */
export function encode(moonshine: Moonshine, samples: Float32Array): Promise<Sound> {
  const known = encoded.get(samples);
  if (known) return known;
  const sound = listen(moonshine, samples);
  encoded.set(samples, sound);
  return sound;
}

async function listen({ encoder, projection }: Moonshine, samples: Float32Array): Promise<Sound> {
  const states = await encoder.run({ input_values: new Tensor('float32', samples, [1, samples.length]) });
  const results = await projection.run({ encoder_hidden_states: states['last_hidden_state'] as Tensor });
  return presentIn(results, SOUND_CACHE);
}

/** Goes on with texts of the same length, each by as many tokens. `cache` is null at their start. */
export async function runDecoder(
  { decoder }: Moonshine,
  sound: Sound,
  texts: readonly (readonly number[])[],
  cache: TextCache | null,
): Promise<DecoderOutput> {
  const shape = [texts.length, texts[0]?.length ?? 0];
  const input_ids = new Tensor('int64', BigInt64Array.from(texts.flat(), BigInt), shape);
  const nothing = new Tensor('float32', new Float32Array(), [texts.length, HEADS, 0, HEAD_SIZE]);
  const past = [...TEXT_CACHE, ...SOUND_CACHE].map((name) => [
    `past_key_values.${name}`,
    sound.get(name) ?? cache?.get(name) ?? nothing,
  ]);
  const results = await decoder.run({ input_ids, ...Object.fromEntries(past) });
  return { logits: results['logits'] as Tensor, cache: presentIn(results, TEXT_CACHE) };
}

const presentIn = (results: InferenceSession.ReturnType, names: readonly string[]): Tensors =>
  new Map(names.map((name) => [name, results[`present.${name}`] as Tensor]));

/** Returns the cache of other texts: each is one of these again, or two of them are if `texts` names it twice. */
export function selectTexts(cache: TextCache, texts: readonly number[]): TextCache {
  return mapText(cache, ({ data, dims: [, heads = 0, tokens = 0, size = 0] }) => {
    const length = heads * tokens * size;
    const selected = new Float32Array(texts.length * length);
    for (const [index, text] of texts.entries()) {
      selected.set((data as Float32Array).subarray(text * length, (text + 1) * length), index * length);
    }
    return new Tensor('float32', selected, [texts.length, heads, tokens, size]);
  });
}

/** Returns the cache of one text's first tokens. */
function firstTokens(cache: TextCache, count: number): TextCache {
  return mapText(cache, ({ data, dims: [, heads = 0, tokens = 0, size = 0] }) => {
    const first = new Float32Array(heads * count * size);
    for (let head = 0; head < heads; head++) {
      const from = head * tokens * size;
      first.set((data as Float32Array).subarray(from, from + count * size), head * count * size);
    }
    return new Tensor('float32', first, [1, heads, count, size]);
  });
}

const mapText = (cache: TextCache, change: (tensor: Tensor) => Tensor): TextCache =>
  new Map([...cache].map(([name, tensor]) => [name, change(tensor)]));

/** What probabilities are relative to: a token's log-probability is its logit less this. */
export function normalizerOf(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > highest) highest = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - highest);
  return highest + Math.log(sum);
}

/** Returns the natural log-probability of a token, or of the end if it's null, after the first `position` tokens. */
export type TokenProbability = (position: number, token: number | null) => number;

/** How likely the tokens of a text are as what was said in the samples. */
interface Reading {
  probability: TokenProbability;
  /** Reads these tokens after the text's first `position` ones. Positions count from there. */
  instead(position: number, tokens: readonly number[]): Promise<TokenProbability>;
}

/** Reads a text along with the samples that it may have been said in. */
export async function readAlong(
  moonshine: Moonshine,
  samples: Float32Array,
  text: readonly number[],
): Promise<Reading> {
  const sound = await encode(moonshine, samples);
  const ids = [START_TOKEN, ...text];
  const { logits, cache } = await runDecoder(moonshine, sound, [ids], null);
  return {
    probability: tokenProbability(logits),
    async instead(position, tokens) {
      const start = position === 0 ? null : firstTokens(cache, position);
      const changed = [ids[position] ?? START_TOKEN, ...tokens];
      return tokenProbability((await runDecoder(moonshine, sound, [changed], start)).logits);
    },
  };
}

function tokenProbability({ data, dims }: Tensor): TokenProbability {
  const size = dims[2] as number;
  const normalizers = new Map<number, number>();
  return (position, token) => {
    const logits = (data as Float32Array).subarray(position * size, (position + 1) * size);
    const normalizer = normalizers.get(position) ?? normalizerOf(logits);
    normalizers.set(position, normalizer);
    return (logits[token ?? END_TOKEN] as number) - normalizer;
  };
}
