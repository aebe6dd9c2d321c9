import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { encode } from '@/test/media/encode';
import { nativeTool, workFolder } from '@/test/media/ffmpeg-tools';
import { inspectMedia } from '@/test/media/inspect';
import { spokenClip } from '@/test/media/speech';
import { extractSpeechAudio } from './audio';
import { failureOf, runFfmpeg } from './ffmpeg';
import { probe } from './probe';

const tool = await nativeTool();

async function extract(input: string, form: 'compressed' | 'samples' = 'compressed') {
  const source = await probe(tool, input);
  return { source, ...(await extractSpeechAudio({ tool, input, source }, workFolder(), form)) };
}

describe('extractSpeechAudio', () => {
  it('writes speech as small mono audio of the same length', async () => {
    const spoken = await spokenClip();
    const { parts, silent } = await extract(spoken.path);
    expect(silent).toBe(false);
    expect(parts).toHaveLength(1);
    const [part] = parts;
    expect(part?.startSeconds).toBe(0);
    expect(Math.abs((part?.durationSeconds ?? 0) - spoken.durationSeconds)).toBeLessThan(0.15);
    const { streams, format } = await inspectMedia(part?.path ?? '');
    expect(streams).toMatchObject([{ codec_name: 'opus', channels: 1 }]);
    expect(Math.abs(Number(format.duration) - spoken.durationSeconds)).toBeLessThan(0.15);
    expect(statSync(part?.path ?? '').size).toBeLessThan(spoken.durationSeconds * 4_500);
  });

  it.each([
    ['vp8Webm', clips.vp8Webm],
    ['fragmentedMp4', clips.fragmentedMp4],
    ['h264Mov', clips.h264Mov],
    ['truncatedWebm', clips.truncatedWebm],
  ] as const)('hears %s', async (_, clip) => {
    const { parts, silent } = await extract(await clip());
    expect(silent).toBe(false);
    expect(parts).toHaveLength(1);
  });

  it('says when there is nothing to hear', async () => {
    expect(await extract(await clips.silentMp4())).toMatchObject({ silent: true });
    expect(await extract(await clips.noAudioMp4())).toMatchObject({ silent: true, parts: [] });
  });

  it('splits long talk in its pauses, without a gap', async () => {
    const { parts, source } = await extract(await clips.longSpeech());
    expect(Math.abs(source.durationSeconds - clips.LONG_SPEECH_SECONDS)).toBeLessThan(0.2);
    expect(parts).toHaveLength(2);
    let end = 0;
    for (const part of parts) {
      expect(part.startSeconds).toBeCloseTo(end, 6);
      end = part.startSeconds + part.durationSeconds;
      expect(part.durationSeconds).toBeLessThanOrEqual(1200);
      expect(
        Math.abs(Number((await inspectMedia(part.path)).format.duration) - part.durationSeconds),
      ).toBeLessThan(0.1);
      expect(statSync(part.path).size).toBeLessThan(24_000_000);
    }
    expect(end).toBeCloseTo(source.durationSeconds, 6);
    // The tone pauses from the eighth to the tenth second of every ten.
    expect((parts[1]?.startSeconds ?? 0) % 10).toBeGreaterThan(8);
    expect(await firstToneAfter(parts[1]?.path ?? '')).toBeCloseTo(
      10 - ((parts[1]?.startSeconds ?? 0) % 10),
      1,
    );
  });

  it('writes plain samples for the built-in engine, in shorter parts that miss none of them', async () => {
    const { parts, source, silent } = await extract(await clips.longSpeech(), 'samples');
    expect(silent).toBe(false);
    expect(parts).toHaveLength(5);
    const seconds = parts.map(({ path }) => statSync(path).size / 32_000);
    for (const [index, { durationSeconds }] of parts.entries()) {
      expect(durationSeconds).toBeLessThanOrEqual(300);
      expect(seconds[index]).toBeCloseTo(durationSeconds, 3);
    }
    expect(seconds.reduce((sum, one) => sum + one, 0)).toBeCloseTo(source.durationSeconds, 2);
  });

  it('lets the built-in engine listen where a service would hear nothing', async () => {
    const quiet = join(workFolder(), 'quiet.mov');
    const args = ['-t', '5', '-c:v', 'copy', '-af', 'volume=-45dB', '-c:a', 'pcm_s16le'];
    await encode(['-i', await clips.shortSpeech(), ...args], quiet);
    expect((await extract(quiet)).silent).toBe(true);
    expect((await extract(quiet, 'samples')).silent).toBe(false);
    expect((await extract(await clips.silentMp4(), 'samples')).silent).toBe(true);
  });
});

/** Returns the seconds until the tone starts. The format whitelist doesn't include MP3, so this repacks it first. */
async function firstToneAfter(path: string): Promise<number> {
  const repacked = path.replace(/\.\w+$/, '.mov');
  await encode(['-i', path, '-c:a', 'pcm_s16le'], repacked);
  const result = await runFfmpeg(tool, {
    kind: 'ffmpeg',
    input: { path: repacked },
    args: ['-t', '5', '-af', 'silencedetect=noise=-35dB:duration=0.1', '-f', 'null', '-'],
    maxSeconds: 30,
    cwd: dirname(path),
    logLevel: 'info',
  });
  expect(failureOf(result)).toBeNull();
  return Number(/silence_end: ([\d.]+)/.exec(result.stderr)?.[1]);
}
