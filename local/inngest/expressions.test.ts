import { describe, expect, it } from 'vitest';
import { parseDurationMs, parseRetryAfter, retryDelayMs, timeAfter } from './durations';
import { matches, parseEquation, parsePath } from './expressions';

describe('expressions', () => {
  it.each([
    ['event.data.user.id', ['data', 'user', 'id']],
    ['async.data.id', undefined],
    ['event', undefined],
    ['event.data["id"]', undefined],
    ['event.data.a + event.data.b', undefined],
  ])('parses %s as a path', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each([
    ['event.data.a == async.data.a', { data: { a: 1 } }, { data: { a: 1 } }, true],
    ['event.data.a == async.data.a', { data: { a: 1 } }, { data: { a: '1' } }, false],
    ['event.data.a == async.data.a', { data: {} }, { data: {} }, false],
    ['async.data.a==event.data.b', { data: { b: null } }, { data: { a: null } }, true],
    ["event.data.a == 'x == y'", { data: { a: 'x == y' } }, undefined, true],
    ['event.data.constructor.name == "Object"', { data: {} }, undefined, false],
  ])('evaluates %s', (text, event, later, result) => {
    const equation = parseEquation(text);
    expect(equation && matches(equation, event, later)).toBe(result);
  });

  it.each([
    'event.data.a != async.data.a',
    'event.data.a >= 3',
    'event.data.a == 3',
    'event.data.a == true',
    'event.data.a == async.data.a && event.data.b == 1',
    '!(event.data.a == 1)',
    'event.data.a == size(async.data.b)',
    "event.data.a == 'it\\'s'",
    '',
  ])('rejects the unsupported expression %s', (text) => {
    expect(parseEquation(text)).toBeUndefined();
  });
});

describe('durations and times', () => {
  it.each([
    ['1w2d3h4m5s', 788_645_000],
    ['90s', 90_000],
    ['', 0],
    ['1.5h', undefined],
    ['soon', undefined],
  ])('parses the duration "%s"', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it('parses times and Retry-After given as durations or dates', () => {
    expect(timeAfter('10s', 1000)).toBe(11_000);
    expect(timeAfter('2030-01-01T00:00:00.000Z', 0)).toBe(Date.UTC(2030, 0, 1));
    expect(timeAfter('never', 0)).toBeUndefined();
    expect(parseRetryAfter('30', 1000)).toBe(31_000);
    const noon = Date.UTC(2030, 0, 1, 12);
    expect(parseRetryAfter('2030-01-01T12:05:00.000Z', noon)).toBe(noon + 300_000);
    expect(parseRetryAfter('2031-01-01T00:00:00.000Z', noon)).toBe(noon + 86_400_000);
    expect(parseRetryAfter('2029-01-01T00:00:00.000Z', noon)).toBe(noon + 1000);
    expect(parseRetryAfter(undefined, 0)).toBeUndefined();
    expect(parseRetryAfter('soon', 0)).toBeUndefined();
  });

  it('waits between attempts as long as Inngest, with up to 30 s at random', () => {
    const minutes = [0.25, 0.5, 1, 2, 5, 10, 20, 40, 60, 120, 120];
    for (const [attempt, delay] of minutes.entries()) {
      expect(retryDelayMs(attempt)).toBeGreaterThanOrEqual(delay * 60_000);
      expect(retryDelayMs(attempt)).toBeLessThanOrEqual(delay * 60_000 + 30_000);
    }
  });
});
