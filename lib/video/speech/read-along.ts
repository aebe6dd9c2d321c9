import type { Tensor } from 'onnxruntime-web/wasm';
import {
  END_TOKEN,
  encode,
  firstTokens,
  type Moonshine,
  normalizerOf,
  runDecoder,
  START_TOKEN,
} from './moonshine';

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
