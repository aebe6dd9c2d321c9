import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { SAMPLE_RATE } from './types';

/** A token of Llama's vocabulary, which Moonshine uses, with its natural log-probability. */
export interface Token {
  id: number;
  logProbability: number;
}

/** What the model heard. Without an end token it was stopped, since it repeated itself or made things up. */
export interface Decoding {
  tokens: Token[];
  /** The log-probability of the end token, or null if it never came. */
  end: number | null;
}

export interface Moonshine {
  encoder: InferenceSession;
  decoder: InferenceSession;
}

const START_TOKEN = 1;
const END_TOKEN = 2;
const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;

const MAX_TOKENS_PER_SECOND = 6.5;
const MIN_TOKEN_LIMIT = 4;

const cacheNames = (part: 'decoder' | 'encoder') =>
  Array.from({ length: LAYERS }, (_, layer) => [`${layer}.${part}.key`, `${layer}.${part}.value`]).flat();
const DECODER_CACHE = cacheNames('decoder');
const ENCODER_CACHE = cacheNames('encoder');
const present = (names: readonly string[]) => names.map((name) => `present.${name}`);

/**
 * Recognizes speech of at most 30 s, always taking the likeliest token. It starts with speech: from 2 s of silence on,
 * the model hears nothing at all.
 * @throws the signal's reason as soon as it aborts
 */
export async function decode(
  { encoder, decoder }: Moonshine,
  samples: Float32Array,
  signal?: AbortSignal,
): Promise<Decoding> {
  const encoder_hidden_states = await encode(encoder, samples);
  const limit = Math.ceil((samples.length / SAMPLE_RATE) * MAX_TOKENS_PER_SECOND) + MIN_TOKEN_LIMIT;
  const cache = emptyCache();
  const tokens: Token[] = [];
  for (let step = 0; step < limit; step++) {
    signal?.throwIfAborted();
    const input_ids = new Tensor('int64', BigInt64Array.of(BigInt(tokens.at(-1)?.id ?? START_TOKEN)), [1, 1]);
    const use_cache_branch = new Tensor('bool', [step > 0], [1]);
    // The encoder's part of the cache is computed in the first step and never changes.
    const kept = step === 0 ? [...DECODER_CACHE, ...ENCODER_CACHE] : DECODER_CACHE;
    const results = await decoder.run({ input_ids, encoder_hidden_states, use_cache_branch, ...cache }, [
      'logits',
      ...present(kept),
    ]);
    const token = likeliest(results['logits']?.data as Float32Array);
    if (token.id === END_TOKEN) return { tokens, end: token.logProbability };
    tokens.push(token);
    for (const name of kept) cache[`past_key_values.${name}`] = results[`present.${name}`] as Tensor;
  }
  return { tokens, end: null };
}

/** Kept as long as their samples are, since a text is read along after the passage has been decoded. */
const encoded = new WeakMap<Float32Array, Promise<Tensor>>();

function encode(encoder: InferenceSession, samples: Float32Array): Promise<Tensor> {
  const known = encoded.get(samples);
  if (known) return known;
  const input_values = new Tensor('float32', samples, [1, samples.length]);
  const states = encoder.run({ input_values }).then((results) => results['last_hidden_state'] as Tensor);
  encoded.set(samples, states);
  return states;
}

function emptyCache(): Record<string, Tensor> {
  const empty = new Tensor('float32', new Float32Array(), [1, HEADS, 0, HEAD_SIZE]);
  return Object.fromEntries(
    [...DECODER_CACHE, ...ENCODER_CACHE].map((name) => [`past_key_values.${name}`, empty as Tensor]),
  );
}

/** Returns the first tokens' part of a cache. */
function firstOf({ data, dims }: Tensor, count: number): Tensor {
  const length = dims[2] as number;
  const first = new Float32Array(HEADS * count * HEAD_SIZE);
  for (let head = 0; head < HEADS; head++) {
    const from = head * length * HEAD_SIZE;
    const part = (data as Float32Array).subarray(from, from + count * HEAD_SIZE);
    first.set(part, head * count * HEAD_SIZE);
  }
  return new Tensor('float32', first, [1, HEADS, count, HEAD_SIZE]);
}

/** Returns the natural log-probability of a token, or of the end if it's null, after the first `position` tokens. */
export type TokenProbability = (position: number, token: number | null) => number;

/** How likely the tokens of a text are as what was said in the samples. */
export interface Reading {
  probability: TokenProbability;
  /** Reads these tokens after the text's first `position` ones. Positions count from there. */
  instead(position: number, tokens: readonly number[]): Promise<TokenProbability>;
}

/** Reads a text along with the samples that it may have been said in. */
export async function readAlong(
  { encoder, decoder }: Moonshine,
  samples: Float32Array,
  text: readonly number[],
): Promise<Reading> {
  const encoder_hidden_states = await encode(encoder, samples);
  const ids = [START_TOKEN, ...text];
  const run = (
    tokens: readonly number[],
    cache: Record<string, Tensor>,
    isContinued: boolean,
    wanted: readonly string[],
  ) => {
    const input_ids = new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
    const use_cache_branch = new Tensor('bool', [isContinued], [1]);
    return decoder.run({ input_ids, encoder_hidden_states, use_cache_branch, ...cache }, wanted);
  };
  const results = await run(ids, emptyCache(), false, [
    'logits',
    ...present([...DECODER_CACHE, ...ENCODER_CACHE]),
  ]);
  return {
    probability: tokenProbability(results['logits'] as Tensor),
    async instead(position, tokens) {
      const caches = [...DECODER_CACHE, ...ENCODER_CACHE].map((name): [string, Tensor] => {
        const cache = results[`present.${name}`] as Tensor;
        return [`past_key_values.${name}`, DECODER_CACHE.includes(name) ? firstOf(cache, position) : cache];
      });
      const cache = position === 0 ? emptyCache() : Object.fromEntries(caches);
      const { logits } = await run([ids[position] ?? START_TOKEN, ...tokens], cache, position > 0, [
        'logits',
      ]);
      return tokenProbability(logits as Tensor);
    },
  };
}

function tokenProbability({ data, dims }: Tensor): TokenProbability {
  const size = dims[2] as number;
  /** For each position, what to subtract from its logits. */
  const normalizers: number[] = [];
  return (position, token) => {
    const row = (data as Float32Array).subarray(position * size, (position + 1) * size);
    const highest = normalizers[position] === undefined ? likeliest(row) : null;
    if (highest) normalizers[position] = (row[highest.id] as number) - highest.logProbability;
    return (row[token ?? END_TOKEN] as number) - (normalizers[position] as number);
  };
}

function likeliest(logits: Float32Array): Token {
  let id = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] as number;
    if (logit > highest) [id, highest] = [i, logit];
  }
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - highest);
  return { id, logProbability: -Math.log(sum) };
}
