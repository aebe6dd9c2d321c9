import { describe, expect, it } from 'vitest';
import { parseStartTime } from './parse-start-time';

describe('parseStartTime', () => {
  it('accepts seconds with up to three decimals', () => {
    expect(parseStartTime('0')).toBe(0);
    expect(parseStartTime('65.25')).toBe(65.25);
  });

  it.each([undefined, '', '-1', '1e9', 'Infinity', '1:05', ['1', '2']])('rejects %j', (t) => {
    expect(parseStartTime(t)).toBeNull();
  });
});
