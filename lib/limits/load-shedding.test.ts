import { expect, it } from 'vitest';
import { createPace } from './load-shedding';

it('keeps owners apart, each for an interval', () => {
  const pace = createPace(100);
  pace.begin('a', 0);
  pace.begin('b', 50);
  expect(pace.isTooSoon('a', 99)).toBe(true);
  expect(pace.isTooSoon('a', 100)).toBe(false);
  expect(pace.isTooSoon('b', 100)).toBe(true);
  expect(pace.isTooSoon('c', 100)).toBe(false);
});

it('forgets those whose interval is over', () => {
  const pace = createPace(100);
  for (let index = 0; index < 1000; index += 1) pace.begin(`owner ${index}`, index);
  expect(pace.size()).toBe(100);
});
