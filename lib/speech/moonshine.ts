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
  const input = new Tensor('float32', samples, [1, samples.length]);
  const encoder_hidden_states = (await encoder.run({ input_values: input }))['last_hidden_state'] as Tensor;
  const limit = Math.ceil((samples.length / SAMPLE_RATE) * MAX_TOKENS_PER_SECOND) + MIN_TOKEN_LIMIT;
  const empty = new Tensor('float32', new Float32Array(), [1, HEADS, 0, HEAD_SIZE]);
  const cache = Object.fromEntries(
    [...DECODER_CACHE, ...ENCODER_CACHE].map((name) => [`past_key_values.${name}`, empty as Tensor]),
  );
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
