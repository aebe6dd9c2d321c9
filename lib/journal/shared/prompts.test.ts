import { describe, expect, it } from 'vitest';
import { nextPrompt, PROMPTS, promptFor, promptOfDay, studioHref } from './prompts';

describe('prompts', () => {
  it('are plentiful and unique', () => {
    expect(new Set(PROMPTS).size).toBe(PROMPTS.length);
    expect(PROMPTS.length).toBeGreaterThanOrEqual(30);
  });

  it('never repeat back to back', () => {
    for (const present of PROMPTS) {
      const all = PROMPTS.slice(1).map((_, n) => nextPrompt(present, (n + 0.5) / (PROMPTS.length - 1)));
      expect(all).not.toContain(present);
      expect(new Set(all).size).toBe(PROMPTS.length - 1);
    }
    expect(PROMPTS).toContain(nextPrompt(null, 0.9999));
  });

  it('follow from the cookie', () => {
    expect(promptFor('off')).toBe('');
    for (const cookie of [undefined, '', 'x', '-1', '99999', '3'])
      expect(PROMPTS).toContain(promptFor(cookie));
    for (let n = 0; n < 200; n += 1) expect(promptFor('3')).not.toBe(PROMPTS[3]);
  });

  it('follow from the studio’s address first, unless they’re switched off', () => {
    for (const prompt of PROMPTS) {
      const asked = new URL(studioHref(prompt), 'http://localhost').searchParams.get('question') ?? '';
      expect(promptFor(undefined, asked)).toBe(prompt);
      expect(promptFor(asked, asked)).toBe(prompt);
      expect(promptFor('off', asked)).toBe('');
    }
    const others = [
      '',
      ' ',
      '-1',
      '1.5',
      '0x3',
      '3e0',
      `${PROMPTS.length}`,
      '9'.repeat(400),
      ['3', '3'],
      undefined,
    ];
    for (const asked of others)
      for (let n = 0; n < 50; n += 1) {
        const prompt = promptFor('3', asked);
        expect(PROMPTS).toContain(prompt);
        expect(prompt).not.toBe(PROMPTS[3]);
      }
  });

  it('are all asked, day by day, before one comes back', () => {
    const days = PROMPTS.map((_, n) => new Date(Date.UTC(2026, 11, 15 + n)).toISOString().slice(0, 10));
    expect(new Set(days.map(promptOfDay))).toEqual(new Set(PROMPTS));
    // Of the 20,802nd day since 1970, whenever and by whomever it's asked.
    expect(promptOfDay('2026-12-15')).toBe(PROMPTS[20_802 % PROMPTS.length]);
  });
});
