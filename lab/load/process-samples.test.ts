import { expect, it } from 'vitest';
import { describeSeries } from './process-samples';

const series = (value: (at: number) => number) =>
  Array.from({ length: 360 }, (_, index) => [index * 10_000, value(index), 11] as const);

it('calls a series flat that only grows at its start', () => {
  const { isFlat, start, max } = describeSeries(
    series((at) => 200e6 + Math.min(at, 60) * 2e6),
    48e6,
  );
  expect([isFlat, start, max]).toEqual([true, 200e6, 320e6]);
});

it('calls a series flat that goes up and down', () => {
  expect(
    describeSeries(
      series((at) => 300e6 + (at % 10) * 10e6),
      48e6,
    ).isFlat,
  ).toBe(true);
});

it('doesn’t take an engine that’s loaded late for growth, and sees growth behind it', () => {
  // It takes a while to load.
  const engine = (at: number) => (at > 200 && at < 320 ? Math.min(350e6, (at - 200) * 80e6) : 0);
  const worker = (growth: number) =>
    Array.from({ length: 360 }, (_, index) => {
      const bytes = 130e6 + engine(index) + index * growth;
      return [index * 10_000, bytes, engine(index) ? 12 : 11] as const;
    });
  expect(describeSeries(worker(0), 48e6)).toMatchObject({ growth: 0, isFlat: true });
  expect(describeSeries(worker(0.5e6), 48e6).growth).toBeCloseTo(239 * 0.5e6, 0);
});

it('sees growth that goes on', () => {
  const { isFlat, growth } = describeSeries(
    series((at) => 200e6 + at * 0.5e6),
    48e6,
  );
  expect(isFlat).toBe(false);
  expect(growth).toBeCloseTo(239 * 0.5e6, 0);
  expect(
    describeSeries(
      series((at) => 40 + Math.floor(at / 10)),
      12,
    ).isFlat,
  ).toBe(false);
});

it('describes a single point', () => {
  expect(describeSeries([[0, 5, 11]], 1)).toEqual({
    start: 5,
    median: 5,
    max: 5,
    growth: 0,
    tolerance: 1,
    isFlat: true,
  });
});
