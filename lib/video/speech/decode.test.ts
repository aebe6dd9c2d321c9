import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { samplesOf } from '@/test/media/samples';
import { wordErrors } from '@/test/word-errors';
import { type Decoding, decode, toWords } from './decode';
import { readSpeechFile } from './files';
import { type Moonshine, openMoonshine, prepareOnnxruntime, readAlong } from './moonshine';

/** Eight words, by a reader with a strong accent. */
const CLIP = 'other-2609-156975-0001';

let text: string;
let moonshine: Moonshine;
let samples: Float32Array;
let greedy: Decoding;
let beam: Decoding;

beforeAll(async () => {
  prepareOnnxruntime(await readSpeechFile('onnxruntime.wasm'));
  moonshine = await openMoonshine(readSpeechFile);
  const clips: { name: string; text?: string }[] = JSON.parse(
    await readFile('lab/speech/clips.json', 'utf8'),
  );
  text = clips.find(({ name }) => name === CLIP)?.text ?? '';
  samples = await samplesOf(`lab/speech/clips/${CLIP}.ogg`);
  greedy = await decode(moonshine, samples, { width: 1 });
  beam = await decode(moonshine, samples, { width: 3 });
});

const errorsOf = ({ tokens }: Decoding) =>
  wordErrors(
    text,
    toWords(tokens)
      .map(({ word }) => word)
      .join(' '),
  );

function meanOf({ tokens, end }: Decoding): number {
  const sum = tokens.reduce((total, { logProbability }) => total + logProbability, end ?? 0);
  return sum / (tokens.length + 1);
}

it('finds a likelier text with a beam, which has fewer wrong words', () => {
  expect(meanOf(beam)).toBeGreaterThan(meanOf(greedy));
  expect(errorsOf(greedy)).toBeGreaterThan(4);
  expect(errorsOf(beam)).toBeLessThanOrEqual(1);
});

it('gives a text the probabilities that it has by itself', async () => {
  const tokens = beam.tokens.map(({ id }) => id);
  const { probability } = await readAlong(moonshine, samples, tokens);
  const end = { id: null, logProbability: beam.end };
  for (const [position, { id, logProbability }] of [...beam.tokens, end].entries()) {
    // Quantized numbers are rounded by what they’re computed with. The cache of another text would be nats off.
    expect(Math.abs(probability(position, id) - (logProbability ?? 0))).toBeLessThan(0.5);
  }
});
