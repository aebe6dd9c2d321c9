import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { extractSpeechAudio, readSamples } from '@/lib/video/media/audio';
import { probe } from '@/lib/video/media/probe';
import { makeRendition } from '@/lib/video/media/rendition';
import { planRendition } from '@/lib/video/media/rendition-plan';
import { measureWaveform } from '@/lib/video/media/waveform';
import { seePattern } from './corpus/inspect-pattern';
import * as odd from './corpus/odd-clips';
import { nativeTool, workFolder } from './ffmpeg-tools';

const tool = await nativeTool();

async function open(path: string) {
  const source = await probe(tool, path);
  return { tool, input: path, source };
}

async function render(path: string) {
  const file = await open(path);
  const output = join(workFolder(), 'video.mp4');
  const made = await makeRendition(file, output, 60);
  return { ...file, output, made };
}

/** Returns the loudest sample of what's transcribed, from 0 to 1. */
async function loudestSpeech(path: string): Promise<number> {
  const { parts, silent } = await extractSpeechAudio(await open(path), workFolder(), 'samples');
  if (silent) return 0;
  const samples = await readSamples(parts[0]?.path ?? '');
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

/** Returns how many of a video's frames look like two fields. */
async function combedFrames(path: string): Promise<number> {
  const { stderr } = await promisify(execFile)('ffmpeg', ['-i', path, '-vf', 'idet', '-f', 'null', '-']);
  const [, top = 0, bottom = 0] =
    /Multi frame detection: TFF: *(\d+) BFF: *(\d+)/.exec(stderr)?.map(Number) ?? [];
  return top + bottom;
}

describe('sound', () => {
  it('is that of the track that was spoken into', async () => {
    const { output, source } = await render(await odd.silentFirstTrack());
    expect(source).toMatchObject({ audio: { index: 2 }, speech: { index: 2 }, unreadableSound: null });
    expect((await seePattern(output)).tone).not.toBeNull();
  });

  it('is that of the default track, and what’s transcribed is the loudest one', async () => {
    for (const preferred of [0, 1] as const) {
      const { source } = await open(await odd.twoTracks(preferred));
      expect(source).toMatchObject({ audio: { index: preferred + 1 }, speech: { index: 2 } });
    }
  });

  it('survives channels that cancel each other out', async () => {
    const path = await odd.oppositeChannels();
    // The louder channel has 0.9 of a tone of 0.4.
    expect(await loudestSpeech(path)).toBeCloseTo(0.36, 1);
    const { output } = await render(path);
    const peaks = await measureWaveform(await open(output));
    expect(Math.max(...peaks)).toBe(255);
  });

  it('is mixed where nothing cancels out', async () => {
    expect(await loudestSpeech(await odd.leftChannelOnly())).toBeCloseTo(0.2, 1);
  });

  it('in a format that nothing decodes is left out, by its name', async () => {
    const { source, output } = await render(await odd.unreadableSound());
    expect(source).toMatchObject({ audio: null, speech: null, unreadableSound: 'AC-4' });
    const seen = await seePattern(output);
    expect(seen.tone).toBeNull();
    expect(seen.flashAt).toBeCloseTo(1, 1);
  });

  it('in a format that isn’t on the list sinks nothing', async () => {
    const { source, output } = await render(await odd.unlistedSound());
    expect(source).toMatchObject({ audio: null, unreadableSound: expect.stringContaining('723') });
    expect((await seePattern(output)).flashAt).toBeCloseTo(1, 1);
  });

  it.each(['amr_nb', 'amr_wb'] as const)('of a phone of the 2000s (%s) is kept', async (codec) => {
    const { source, made } = await render(await odd.amr(codec));
    expect(source).toMatchObject({ video: { codec: 'h263' }, audio: { codec } });
    expect(made.probe.audio).toMatchObject({ codec: 'aac' });
  });
});

describe('pictures', () => {
  it('that nothing decodes are refused by name', async () => {
    const sentence =
      'This video is in a format we can’t read (H.266, VVC). Export it as MP4, and upload that.';
    await expect(probe(tool, await odd.unreadablePicture())).rejects.toMatchObject({
      kind: 'unsupported',
      message: sentence,
    });
  });

  it('in Dolby Vision that only Dolby’s decoders understand are refused', async () => {
    await expect(probe(tool, await odd.dolbyVisionProfile5())).rejects.toMatchObject({
      kind: 'unsupported',
      message: expect.stringContaining('Dolby Vision'),
    });
  });

  it('in fields become whole ones', async () => {
    const { input, source, output, made } = await render(await odd.movingFields());
    expect(source.video).toMatchObject({ scan: 'interlaced' });
    expect(planRendition(source)).toBe('transcode');
    expect(made.probe.video).toMatchObject({ scan: 'progressive', frames: source.video.frames });
    expect(await combedFrames(input)).toBeGreaterThan(40);
    expect(await combedFrames(output)).toBeLessThan(6);
  });
});
