import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { nativeTool, wasmTool, workFolder } from '@/test/media/ffmpeg-tools';
import { trackPeakMemory } from '@/test/media/inspect';
import * as hostile from '@/test/media/malformed-clips';
import { MediaError } from './errors';
import { runFfmpeg } from './ffmpeg';
import { probe } from './probe';
import { makeRendition } from './rendition';

const tool = await nativeTool();
const wasm = await wasmTool();
const tools = wasm ? [tool, wasm] : [tool];
const trap = await hostile.startTrapServer();
afterAll(() => trap.close());

async function failureOfProbe(path: string): Promise<MediaError> {
  const error = await probe(tool, path).catch((reason) => reason);
  if (!(error instanceof MediaError)) throw new Error(`${path} was taken for a video.`, { cause: error });
  return error;
}

describe('files that lie', () => {
  it.each([
    ['a recording without a frame', hostile.noFramesMp4, 'no_video'],
    ['sound alone', clips.noVideoMp4, 'no_video'],
    ['100 hours of one frame an hour', hostile.hundredHours, 'too_large'],
    ['16,000 × 16,000 pixels', hostile.hugePicture, 'too_large'],
    ['text with the first bytes of a video', hostile.textWithFtyp, 'unreadable'],
  ] as const)('%s fail with a sentence, in little memory', async (_, clip, kind) => {
    const path = await clip();
    const memory = trackPeakMemory(path);
    const error = await failureOfProbe(path);
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(/^(?!.*\/)[A-Z].+\.$/);
    expect(await memory.stop()).toBeLessThan(200_000_000);
  });

  it('an empty file and one of zeros are unreadable', async () => {
    const path = join(workFolder(), 'empty.mp4');
    for (const size of [0, 100_000]) {
      writeFileSync(path, Buffer.alloc(size));
      expect((await failureOfProbe(path)).kind).toBe('unreadable');
    }
  });

  it.each([
    ['MP4', hostile.wrongDurationMp4],
    ['WebM', hostile.wrongDurationWebm],
  ] as const)('four seconds of %s that claim 100 hours are four seconds', async (_, clip) => {
    const input = await clip();
    const source = await probe(tool, input);
    expect(Math.abs(source.durationSeconds - 4)).toBeLessThan(0.05);
    const output = join(workFolder(), 'out.mp4');
    const made = await makeRendition({ tool, input, source }, output, 50);
    expect(Math.abs(made.probe.durationSeconds - 4)).toBeLessThan(0.15);
  });

  it('no picture larger than the bound is decoded, even when asked to', async () => {
    const path = await hostile.hugePicture();
    const memory = trackPeakMemory(path);
    const args = ['-map', '0:v:0', '-f', 'framecrc', 'pipe:1'];
    const run = { kind: 'ffmpeg', input: { path }, args, maxSeconds: 30, cwd: workFolder() } as const;
    const { stdout } = await runFfmpeg(tool, run);
    expect(stdout.split('\n').filter((line) => line.startsWith('0,'))).toEqual([]);
    expect(await memory.stop()).toBeLessThan(200_000_000);
  });
});

describe('playlists dressed as MP4', () => {
  const kinds = ['hls', 'hls-master', 'ffconcat', 'dash', 'sdp', 'image-sequence', 'svg'];

  it.each(kinds)('%s reads nothing beside itself and opens no connection', async (kind) => {
    const secret = await clips.h264Mp4();
    const folder = workFolder();
    const path = join(folder, 'video.mp4');
    writeFileSync(path, hostile.playlists(secret, trap)[kind] ?? '');
    for (const each of tools) {
      await expect(probe(each, path)).rejects.toMatchObject({ kind: 'unreadable' });
      for (const output of [{ path: join(folder, 'out.mp4') }, { path: join(folder, 'out.mkv') }]) {
        const args = ['-c', 'copy'];
        const run = { kind: 'ffmpeg', input: { path }, args, output, maxSeconds: 30, cwd: folder } as const;
        const result = await runFfmpeg(each, { ...run, maxOutputBytes: 1_000_000 });
        expect(result.code).not.toBe(0);
      }
    }
    expect(readdirSync(folder)).toEqual(['video.mp4']);
    expect(trap.hits()).toBe(0);
  });

  it('behind the first bytes of a video are no better', async () => {
    const folder = workFolder();
    const header = readFileSync(await hostile.textWithFtyp()).subarray(0, 24);
    const playlists = hostile.playlists(await clips.h264Mp4(), trap);
    expect(Object.keys(playlists)).toEqual(kinds);
    for (const [kind, text] of Object.entries(playlists)) {
      const path = join(folder, `${kind}.mp4`);
      writeFileSync(path, Buffer.concat([header, Buffer.from(text)]));
      expect((await failureOfProbe(path)).kind).toBe('unreadable');
    }
    expect(trap.hits()).toBe(0);
  });

  it('would have worked without the guard', async () => {
    const path = join(workFolder(), 'list.mp4');
    writeFileSync(path, `ffconcat version 1.0\nfile '${await clips.h264Mp4()}'\n`);
    const args = ['-v', 'error', '-safe', '0', '-show_entries', 'stream=codec_name', path];
    expect((await promisify(execFile)('ffprobe', args)).stdout).toContain('h264');

    writeFileSync(path, `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${trap.url}/a.mp4\n#EXT-X-ENDLIST\n`);
    const open = ['-v', 'error', '-protocol_whitelist', 'file,http,tcp', '-f', 'hls', '-i', path];
    await promisify(execFile)('ffprobe', open).catch(() => {});
    expect(trap.hits()).toBeGreaterThan(0);
    rmSync(path);
  });
});
