import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { decodingErrors, inspectMedia } from '@/test/media/inspect';
import { wrongDurationMp4 } from '@/test/media/malformed-clips';
import { collectEntries } from './ffprobe-output';
import { hashPackets } from './packet-hash';
import { probe } from './probe';
import { makeRendition } from './rendition';
import { planRendition } from './rendition-plan';

const tool = await nativeTool();

async function render(input: string, options = {}) {
  const output = join(workFolder(), 'video.mp4');
  const file = { tool, input, source: await probe(tool, input) };
  return { file, output, made: await makeRendition(file, output, 50, options) };
}

/** Returns a file like another one, with some of its bytes changed. */
async function changed(clip: () => Promise<string>, change: (bytes: Buffer) => void): Promise<string> {
  const bytes = await readFile(await clip());
  change(bytes);
  const path = join(workFolder(), 'changed.mp4');
  await writeFile(path, bytes);
  return path;
}

describe('a file that browsers play as it is', () => {
  it('is its own rendition, to the byte', async () => {
    const input = await clips.h264Mp4();
    const { output, made } = await render(input);
    expect(made).toMatchObject({ plan: 'keep', isComplete: true });
    expect((await readFile(output)).equals(await readFile(input))).toBe(true);
  });

  it.each([
    ['its index comes last', clips.indexLastMp4],
    ['it’s in fragments', clips.fragmentedMp4],
    ['its header has another length', wrongDurationMp4],
    ['it ends in the middle', clips.truncatedMp4],
    ['it plays at another speed', () => changed(clips.h264Mp4, playTwiceAsFast)],
  ])('isn’t one if %s', async (_, clip) => {
    expect(planRendition(await probe(tool, await clip()))).not.toBe('keep');
  });

  function playTwiceAsFast(bytes: Buffer): void {
    // The rate of the first edit (ISO/IEC 14496-12, 8.6.6) follows its length and its place in the track.
    const edits = bytes.indexOf('elst');
    expect(bytes.readUInt32BE(edits + 20)).toBe(0x10000);
    bytes.writeUInt32BE(0x20000, edits + 20);
  }

  it('isn’t one if its sound isn’t what browsers would play', async () => {
    const source = await probe(tool, await clips.h264Mp4());
    expect(planRendition(source)).toBe('keep');
    expect(planRendition({ ...source, firstSound: 2 })).toBe('copy');
    expect(planRendition({ ...source, audio: null, firstSound: null })).toBe('keep');
    expect(planRendition({ ...source, audio: null, firstSound: null, unreadableSound: 'AC-4' })).toBe('copy');
  });

  it('is copied if its frames don’t decode as its header says', async () => {
    const input = await clips.h264Mp4();
    const source = { ...(await probe(tool, input)), streamable: true };
    const broken = await changed(clips.h264Mp4, (bytes) => bytes.fill(0xff, bytes.indexOf('mdat') + 4));
    const making = makeRendition({ tool, input: broken, source }, join(workFolder(), 'broken.mp4'), 50);
    await expect(making).rejects.toMatchObject({ kind: expect.stringMatching(/failed|unreadable/) });
  });
});

it('tells how far a picture is from its sound in a file', () => {
  const packets = (places: [number, number][]) => {
    const found = collectEntries();
    for (const [second, [picture, sound]] of places.entries()) {
      const at = (stream: number, place: number) =>
        `packet|stream_index=${stream}|pts_time=${second}.5|dts_time=${second}.5|duration_time=0.1|pos=${place}|flags=K__`;
      found.line(at(0, picture));
      found.line(at(1, sound));
    }
    return found.packets(0, 1).spreadBytes;
  };
  expect(
    packets([
      [0, 100],
      [200, 300],
    ]),
  ).toBe(100);
  expect(
    packets([
      [0, 5_000_000],
      [200, 5_000_100],
    ]),
  ).toBe(5_000_000);
});

describe('a rendition that takes a recording’s place', () => {
  it('has its picture, its sound as AAC, and its own sound behind that', async () => {
    const { file, output, made } = await render(await clips.fragmentedMp4(), { replaces: true });
    expect(made).toMatchObject({ plan: 'copy-video', isComplete: true });
    const { streams } = await inspectMedia(output);
    expect(streams.map((one) => one.codec_name)).toEqual(['h264', 'aac', 'opus']);
    expect(streams.map((one) => one.disposition?.default)).toEqual([1, 1, 0]);
    expect(await decodingErrors(output)).toBe('');
    const kept = { tool, input: output, source: made.probe };
    const { video, audio } = file.source;
    expect(await hashPackets(kept, ['v:0', 'a:1'], 50)).toBe(
      await hashPackets(file, [video.index, audio?.index ?? -1], 50),
    );
    // What was made plays as it is, and is heard in its first track.
    expect(planRendition(made.probe)).toBe('keep');
    expect(made.probe.audio?.codec).toBe('aac');
  });

  it('has all of one with AAC', async () => {
    const aac = () => clips.fragmentedAacMp4();
    const { output, made } = await render(await aac(), { replaces: true });
    expect(made).toMatchObject({ plan: 'copy', isComplete: true });
    expect((await inspectMedia(output)).streams.map((one) => one.codec_name)).toEqual(['h264', 'aac']);
  });

  it.each([
    ['has to be encoded', clips.vp8Webm],
    ['has other tracks', clips.captionsAndCoverMp4],
  ])('doesn’t if the file %s', async (_, clip) => {
    expect((await render(await clip(), { replaces: true })).made.isComplete).toBe(false);
  });

  it('tells a packet that was lost', async () => {
    const file = async (input: string) => ({ tool, input, source: await probe(tool, input) });
    const whole = await hashPackets(await file(await clips.h264Mp4()), ['v:0', 'a:0'], 50);
    const cut = await hashPackets(await file(await clips.truncatedMp4()), ['v:0', 'a:0'], 50);
    expect(whole).toMatch(/^0,v,SHA256=[0-9a-f]{64}\n1,a,SHA256=[0-9a-f]{64}\n$/);
    expect(cut).not.toBe(whole);
  });
});
