import tokenizer from 'llama-tokenizer-js';
import type { Token } from './decode';

/** A word as the model writes it, with its punctuation, and its tokens' mean probability. */
export interface WrittenWord {
  word: string;
  confidence: number;
}

const SPACE = '▁';

/** Joins tokens to words. A character that's outside the vocabulary is several tokens, one for each byte. */
export function toWords(tokens: readonly Token[]): WrittenWord[] {
  const words: { bytes: number[]; logProbabilities: number[] }[] = [];
  for (const { id, logProbability } of tokens) {
    const piece = tokenizer.vocabById[id] ?? '';
    if (piece.startsWith(SPACE) || words.length === 0) words.push({ bytes: [], logProbabilities: [] });
    const word = words.at(-1);
    word?.bytes.push(...bytesOf(piece));
    word?.logProbabilities.push(logProbability);
  }
  return words
    .map(({ bytes, logProbabilities }) => ({
      word: new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll(SPACE, ' ').trim(),
      confidence: Math.exp(mean(logProbabilities)),
    }))
    .filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
}

function bytesOf(piece: string): Iterable<number> {
  const [, byte] = /^<0x([0-9A-F]{2})>$/.exec(piece) ?? [];
  return byte ? [Number.parseInt(byte, 16)] : new TextEncoder().encode(piece);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
