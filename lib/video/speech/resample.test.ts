import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResampler } from './resample';

const tone = (frequency: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, index) =>
    Math.sin((2 * Math.PI * frequency * index) / rate),
  );

const level = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

describe.each([48_000, 44_100, 16_000, 8000, 96_000])('a microphone of %d Hz', (rate) => {
  it('keeps a voice’s frequencies, their level, and their place in time', () => {
    const heard = createResampler(rate)(tone(440, rate, 1));
    const wanted = tone(440, 16_000, 1);
    const difference = heard.slice(200, 15_000).map((sample, index) => sample - (wanted[index + 200] ?? 0));
    expect(level(difference)).toBeLessThan(0.005);
  });

  it('gives the same whatever the chunks are', () => {
    const samples = tone(300, rate, 0.2);
    const whole = createResampler(rate)(samples);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 20 }), (sizes) => {
        const resample = createResampler(rate);
        const parts: number[] = [];
        let from = 0;
        for (const size of [...sizes, samples.length]) {
          parts.push(...resample(samples.subarray(from, from + size)));
          from += size;
        }
        expect(Float32Array.from(parts)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});

it.each([48_000, 44_100])('removes what 16 kHz can’t hold from %d Hz', (rate) => {
  const heard = createResampler(rate)(tone(9500, rate, 1));
  expect(level(heard.slice(200))).toBeLessThan(0.01);
});

it('doesn’t drift', () => {
  const resample = createResampler(44_100);
  let length = 0;
  for (let chunk = 0; chunk < 1000; chunk += 1) length += resample(new Float32Array(4410)).length;
  expect(Math.abs(length - 100 * 16_000)).toBeLessThan(200);
});
