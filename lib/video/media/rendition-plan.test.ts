import { describe, expect, it } from 'vitest';
import type { MediaProbe } from './media-probe';
import { estimateSeconds, fittingPhoneSeconds, fittingSeconds } from './rendition-plan';

const NATIVE = { kind: 'native', speed: 1 } as const;
const WASM = { kind: 'wasm', speed: 1 } as const;

const AAC = { index: 1, codec: 'aac', profile: 'LC', channels: 2, sampleRate: 48_000 };

/** A minute of 1080p with sound, as a phone records it. */
const minute = (video: Partial<MediaProbe['video']> = {}): MediaProbe => ({
  container: 'mov',
  durationSeconds: 60,
  sizeBytes: 70_000_000,
  streams: 2,
  video: {
    ...{ index: 0, codec: 'hevc', pixelFormat: 'yuv420p' },
    ...{ width: 1920, height: 1080, frames: 1800, keyFrameGap: 1 },
    reconfigured: false,
    scan: 'progressive',
    color: { matrix: '', primaries: '', transfer: '' },
    ...video,
  },
  audio: AAC,
  speech: AAC,
  firstSound: 1,
  unreadableSound: null,
  fragmented: false,
  streamable: false,
});

describe('estimateSeconds', () => {
  // 101 s was measured on one core of a function.
  it('is near what a minute of 1080p HEVC was measured to take', () => {
    const seconds = estimateSeconds(minute(), NATIVE);
    expect(seconds).toBeGreaterThan(85);
    expect(seconds).toBeLessThan(115);
  });

  it('grows with frames and pixels, not with length alone', () => {
    const at30 = estimateSeconds(minute(), NATIVE);
    expect(estimateSeconds(minute({ frames: 3600 }), NATIVE) / at30).toBeCloseTo(2, 1);
    const small = estimateSeconds(minute({ width: 1280, height: 720 }), NATIVE);
    expect(at30 / small).toBeCloseTo(2.25, 0);
    // Only 1080p of it are encoded.
    const in4k = estimateSeconds(minute({ width: 3840, height: 2160 }), NATIVE);
    expect(in4k / at30).toBeGreaterThan(1.3);
    expect(in4k / at30).toBeLessThan(2.5);
    expect(estimateSeconds(minute({ width: 1080, height: 1920 }), NATIVE)).toBeCloseTo(at30);
  });

  it('takes longer for a codec that’s harder to decode, and for ffmpeg as WebAssembly', () => {
    const codecs = ['vp8', 'vp9', 'hevc'].map((codec) => estimateSeconds(minute({ codec }), NATIVE));
    expect(codecs).toEqual([...codecs].sort((one, other) => one - other));
    expect(estimateSeconds(minute(), WASM) / estimateSeconds(minute(), NATIVE)).toBeGreaterThan(3.5);
  });

  it('doubles, nearly, for HDR, whose colors are mapped', () => {
    const hdr = minute({ color: { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'arib-std-b67' } });
    for (const at of [NATIVE, WASM]) {
      expect(estimateSeconds(hdr, at) / estimateSeconds(minute(), at)).toBeGreaterThan(1.8);
      expect(estimateSeconds(hdr, at) / estimateSeconds(minute(), at)).toBeLessThan(2.3);
    }
  });

  it('halves on a core that’s twice as fast', () => {
    const fast = { ...NATIVE, speed: 2 };
    expect(estimateSeconds(minute(), fast) * 2).toBeCloseTo(estimateSeconds(minute(), NATIVE));
  });

  it('is almost nothing for what browsers can play, however long it is', () => {
    const day = { ...minute({ codec: 'h264', frames: 86_400 * 30 }), durationSeconds: 86_400 };
    expect(estimateSeconds(day, WASM)).toBeLessThan(5);
  });
});

describe('what fits', () => {
  it('takes as long as there is', () => {
    const seconds = fittingSeconds(minute(), NATIVE, 200);
    const share = seconds / 60;
    const shorter = { ...minute({ frames: 1800 * share }), durationSeconds: seconds };
    expect(estimateSeconds(shorter, NATIVE)).toBeCloseTo(200);
    expect(fittingPhoneSeconds(NATIVE, 200)).toBeCloseTo(seconds);
  });

  it('is nothing if there isn’t even time to start', () => {
    expect(fittingPhoneSeconds({ kind: 'wasm', speed: 0.25 }, 10)).toBe(0);
  });
});
