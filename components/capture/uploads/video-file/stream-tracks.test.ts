import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { formatClip } from '@/test/media/format-clips';
import { all, listTracks, some } from '@/test/media/listed-tracks';
import { asfSound, oddAvi, oggPage, transportStream } from '@/test/media/stream-clips';

describe('a transport stream', () => {
  /** A table with two programs, of which the first is ffmpeg's (ISO/IEC 13818-1, 2.4.4.3). */
  const withPrograms = (stream: Buffer, other: number[], lastSection = 0) => {
    const table = [0, 0xb0, 17, 0, 1, 0xc1, 0, lastSection, 0, 1, 0xf0, 0, ...other, 0, 0, 0, 0];
    const copy = Buffer.from(stream);
    for (let at = 0; at + 188 <= copy.length; at += 188) {
      if ((copy.readUInt16BE(at + 1) & 0x1fff) === 0) copy.set([0, ...table], at + 4);
    }
    return copy;
  };

  it('is incomplete until every program is described', async () => {
    const stream = await readFile(await formatClip('aac.ts'));
    expect(await listTracks(stream)).toEqual(all('audio aac'));
    // Where the network describes itself isn't a program.
    expect(await listTracks(withPrograms(stream, [0, 0, 0xe0, 0x10]))).toEqual(all('audio aac'));
    expect(await listTracks(withPrograms(stream, [0, 2, 0xf0, 1]))).toEqual(some());
    expect(await listTracks(withPrograms(stream, [0, 2, 0xf0, 0]))).toEqual(some());
    expect(await listTracks(withPrograms(stream, [0, 0, 0xe0, 0x10], 1))).toEqual(some());
  });

  it('has times in front of its packets, which may start like a packet', async () => {
    for (const time of [0, 0x47]) {
      expect(await listTracks(transportStream([[0x1b]], { time }))).toEqual(all('video h264'));
    }
  });

  it('has tables behind an adaptation field, and in several packets', async () => {
    expect(await listTracks(transportStream([[0x0f], [0x1b]], { adaptation: 100 }))).toEqual(
      all('audio aac', 'video h264'),
    );
    const language = [0x0a, 4, ...Buffer.from('eng'), 0];
    const many = Array.from({ length: 30 }, () => [0x0f, ...language] as [number, ...number[]]);
    expect((await listTracks(transportStream([...many, [0x24]])))?.tracks).toHaveLength(31);
  });

  it('tells private streams apart by their descriptors', async () => {
    const opus = [5, 4, ...Buffer.from('Opus')];
    expect(await listTracks(transportStream([[6, 0x6a, 1, 0], [6, 0x59, 0], [6, ...opus], [0x05]]))).toEqual(
      all('audio ac3', 'other 0x06', 'audio opus', 'other data'),
    );
    expect(await listTracks(transportStream([[6, 0x0a, 4, 0, 0, 0, 0]]))).toEqual(some());
    expect(await listTracks(transportStream([[0x1b], [0x99]]))).toEqual(some('video h264'));
  });
});

describe('an Ogg file', () => {
  const last = oggPage('', 0);

  it('is incomplete with a stream that nobody knows, and with very many', async () => {
    const sound = oggPage('OpusHead');
    expect(await listTracks(Buffer.concat([sound, oggPage('fishead\0'), last]))).toEqual(
      all('audio opus', 'other skeleton'),
    );
    expect(await listTracks(Buffer.concat([sound, oggPage('unknown'), last]))).toEqual(some('audio opus'));
    const many = Array.from({ length: 40 }, () => sound);
    expect((await listTracks(Buffer.concat([...many, last])))?.isComplete).toBe(false);
  });
});

it('reads the streams of an AVI file behind a chunk of an odd length', async () => {
  expect(await listTracks(oddAvi())).toEqual(all('audio 0x0055'));
});

it('reads an ASF file as incomplete if it has more properties of a stream that isn’t listed', async () => {
  expect(await listTracks(asfSound(1))).toEqual(all('audio 0x0161'));
  expect(await listTracks(asfSound(2))).toEqual(some('audio 0x0161'));
});
