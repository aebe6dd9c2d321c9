import { describe, expect, it } from 'vitest';
import { WAVEFORM_BOX, waveformPath } from './waveform-path';

const heightsOf = (peaks: number[]) =>
  [...waveformPath(Buffer.from(peaks).toString('base64')).matchAll(/L(\d+\.5) (\d+)/g)].map(([, , y]) =>
    Number(y),
  );

describe('waveformPath', () => {
  it('reaches the top at the loudest peak and the bottom in silence', () => {
    const heights = heightsOf(Array.from({ length: 1000 }, (_, index) => (index < 500 ? 255 : 0)));
    expect(heights).toHaveLength(WAVEFORM_BOX.width);
    expect(heights.slice(0, 120)).toEqual(Array(120).fill(0));
    expect(heights.slice(120)).toEqual(Array(120).fill(WAVEFORM_BOX.height));
  });

  it('keeps every peak of a long waveform and stretches a short one', () => {
    const one = heightsOf(Array.from({ length: 1000 }, (_, index) => (index === 333 ? 255 : 0)));
    expect(one.filter((height) => height === 0)).toHaveLength(1);
    expect(heightsOf([255, 0]).filter((height) => height === 0)).toHaveLength(120);
  });

  it('is flat without peaks', () => {
    expect(new Set(heightsOf([]))).toEqual(new Set([100]));
  });
});
