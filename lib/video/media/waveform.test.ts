import { describe, expect, it } from 'vitest';
import * as clips from '@/test/media/clips';
import { nativeTool } from '@/test/media/ffmpeg-tools';
import { probe } from './probe';
import { measureWaveform } from './waveform';

const tool = await nativeTool();

const measure = async (input: string) => measureWaveform({ tool, input, source: await probe(tool, input) });

describe('measureWaveform', () => {
  it('shows where there is silence', async () => {
    const peaks = await measure(await clips.shortSpeech());
    expect(peaks).toHaveLength(500);
    // Intervals entirely within the tone, or within the pause from 8 to 10 s of every ten.
    const [loud, quiet] = [
      [0.1, 7.9],
      [8.1, 9.9],
    ].map(([from = 0, to = 0]) =>
      [...peaks].filter((_, index) => {
        const start = (index * clips.SHORT_SPEECH_SECONDS) / 500;
        return start % 10 >= from && (start % 10) + clips.SHORT_SPEECH_SECONDS / 500 <= to;
      }),
    );
    expect(loud?.length).toBeGreaterThan(350);
    expect(Math.min(...(loud ?? []))).toBeGreaterThan(200);
    expect(quiet?.length).toBeGreaterThan(70);
    expect(Math.max(...(quiet ?? []))).toBeLessThan(5);
  });

  it('covers a short video at twenty points a second', async () => {
    expect(await measure(await clips.h264Mp4())).toHaveLength(80);
  });

  it('is flat for silence, and empty without sound', async () => {
    const silent = await measure(await clips.silentMp4());
    expect(silent).toHaveLength(80);
    expect(Math.max(...silent)).toBe(0);
    expect(await measure(await clips.noAudioMp4())).toHaveLength(0);
    expect(await measure(await clips.oneFrameMp4())).toHaveLength(0);
  });
});
