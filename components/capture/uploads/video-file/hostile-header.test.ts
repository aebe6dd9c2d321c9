import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countedBlob } from '@/test/media/counted-blob';
import { type FormatClip, formatClip, videoNames } from '@/test/media/format-clips';
import { box } from '@/test/media/small-clips';
import { mp4WithTracks, trackBox, visualEntry } from '@/test/media/track-clips';
import { findRefusal } from './refusal';

const read = async (name: FormatClip) => readFile(await formatClip(name));
/** What a reader of 5,000 pages of 4 KiB reads at most. */
const MAX_BYTES = 5000 * 4096;

it('reads a damaged header without an error, and not much of it', async () => {
  const clips = await Promise.all(videoNames.map(read));
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 7 }), fc.boolean()), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...clips), flips, async (clip, changes) => {
      const bytes = Uint8Array.from(clip);
      for (const [place, bit, isLast] of changes) {
        // The header is at the start, or at the end.
        const at = isLast ? bytes.length - 1 - (place % 2000) : place % 1000;
        bytes[Math.max(0, at)] = (bytes[Math.max(0, at)] ?? 0) ^ (1 << bit);
      }
      const { blob, counts } = countedBlob(bytes);
      const refusal = await findRefusal(blob);
      expect(refusal === null || /^This .+\.$/.test(refusal)).toBe(true);
      expect(counts.bytes).toBeLessThan(1_500_000);
    }),
    { numRuns: 400 },
  );
});

it('gives up on a header that never ends', async () => {
  const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
  const empty = visualEntry('vvc1', ...many(250, box('free')));
  const track = trackBox('vide', ...many(250, empty));
  const { blob, counts } = countedBlob(mp4WithTracks(...many(20, track)));
  expect(await findRefusal(blob)).toBeNull();
  expect(counts.reads).toBeLessThanOrEqual(5000);
  expect(counts.bytes).toBeLessThanOrEqual(MAX_BYTES);
});

it('gives up on a transport stream without tables', async () => {
  const packet = Buffer.alloc(188, 0xff);
  packet.set([0x47, 0x01, 0x00, 0x10]);
  const { blob, counts } = countedBlob(Buffer.concat(Array.from({ length: 20_000 }, () => packet)));
  expect(await findRefusal(blob)).toBeNull();
  expect(counts.bytes).toBeLessThan(1_200_000);
});

it('doesn’t reject if a file can’t be read', async () => {
  const gone = new Blob(['ftyp']);
  gone.slice = () => {
    throw new DOMException('', 'NotReadableError');
  };
  expect(await findRefusal(gone)).toBeNull();
});
