import { type InferenceSession, Tensor } from 'onnxruntime-web/wasm';

/** Moonshine, in its two parts: one for the sound, one for the text. */
export interface Moonshine {
  encoder: InferenceSession;
  decoder: InferenceSession;
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

/** What the decoder keeps of a text and of what it's heard in, by tensor, so that it never computes it twice. */
export interface DecoderCache {
  /** Of shape [texts, heads, tokens, head size]. */
  text: ReadonlyMap<string, Tensor>;
  /** The same for all texts. */
  sound: ReadonlyMap<string, Tensor>;
}

/** What the decoder says after each token that it was given. */
export interface DecoderOutput {
  /** Of shape [texts, tokens, vocabulary]. */
  logits: Tensor;
  cache: DecoderCache;
}

/** Kept as long as their samples are, since a passage is decoded, and then a text is read along with it. */
const encoded = new WeakMap<Float32Array, Promise<Tensor>>();

/** Listens to at most 30 s of speech. It starts with speech: from 2 s of silence on, the model hears nothing at all. */
export function encode({ encoder }: Moonshine, samples: Float32Array): Promise<Tensor> {
  const known = encoded.get(samples);
  if (known) return known;
  const input_values = new Tensor('float32', samples, [1, samples.length]);
  const states = encoder.run({ input_values }).then((results) => results['last_hidden_state'] as Tensor);
  encoded.set(samples, states);
  return states;
}

/**
 * Goes on with texts of the same length, each by as many tokens.
 * @param cache null at the start, where there's one text only
 */
export async function runDecoder(
  { decoder }: Moonshine,
  encoder_hidden_states: Tensor,
  texts: readonly (readonly number[])[],
  cache: DecoderCache | null,
): Promise<DecoderOutput> {
  const shape = [texts.length, texts[0]?.length ?? 0];
  // The sound's part is computed at the start and never changes. Asking for it again would copy megabytes.
  const wanted = cache ? TEXT_CACHE : [...TEXT_CACHE, ...SOUND_CACHE];
  const results = await decoder.run(
    {
      input_ids: new Tensor('int64', BigInt64Array.from(texts.flat(), BigInt), shape),
      encoder_hidden_states,
      use_cache_branch: new Tensor('bool', [cache !== null], [1]),
      ...pastOf(cache),
    },
    ['logits', ...wanted.map((name) => `present.${name}`)],
  );
  const present = (names: readonly string[]) =>
    new Map(names.map((name) => [name, results[`present.${name}`] as Tensor]));
  return {
    logits: results['logits'] as Tensor,
    cache: { text: present(TEXT_CACHE), sound: cache?.sound ?? present(SOUND_CACHE) },
  };
}

function pastOf(cache: DecoderCache | null): Record<string, Tensor> {
  const nothing = new Tensor('float32', new Float32Array(), [1, HEADS, 0, HEAD_SIZE]);
  return Object.fromEntries(
    [...TEXT_CACHE, ...SOUND_CACHE].map((name) => [
      `past_key_values.${name}`,
      cache?.text.get(name) ?? cache?.sound.get(name) ?? nothing,
    ]),
  );
}

/** Returns the cache of other texts: each is one of these again, or two of them are if `texts` names it twice. */
export function selectTexts(cache: DecoderCache, texts: readonly number[]): DecoderCache {
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
export function firstTokens(cache: DecoderCache, count: number): DecoderCache {
  return mapText(cache, ({ data, dims: [, heads = 0, tokens = 0, size = 0] }) => {
    const first = new Float32Array(heads * count * size);
    for (let head = 0; head < heads; head++) {
      const from = head * tokens * size;
      first.set((data as Float32Array).subarray(from, from + count * size), head * count * size);
    }
    return new Tensor('float32', first, [1, heads, count, size]);
  });
}

function mapText({ text, sound }: DecoderCache, change: (tensor: Tensor) => Tensor): DecoderCache {
  return { text: new Map([...text].map(([name, tensor]) => [name, change(tensor)])), sound };
}

/** What probabilities are relative to: a token's log-probability is its logit less this. */
export function normalizerOf(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) if (logit > highest) highest = logit;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - highest);
  return highest + Math.log(sum);
}
