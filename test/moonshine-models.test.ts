import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { MERGED_DECODER, SPEECH_FILES } from '@/lib/video/speech/files';
import { splitDecoder } from '@/scripts/moonshine-models';

it('makes two models of Moonshine’s decoder, no larger than it', async () => {
  const merged = await readFile(MERGED_DECODER);
  const { projection, decoder } = splitDecoder(merged);
  expect(projection.length + decoder.length).toBeLessThan(merged.length);
});

it('rejects another model', async () => {
  const encoder = await readFile(SPEECH_FILES['moonshine_encoder.onnx']);
  expect(() => splitDecoder(encoder)).toThrow('no branches');
});
