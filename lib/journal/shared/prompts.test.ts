import { describe, expect, it } from 'vitest';
import { nextPrompt, PROMPTS, promptInAddress, promptOfDay, studioHref } from './prompts';

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

  it('have addresses in the studio, which nothing else has', () => {
    const askedAt = (href: string) => new URL(href, 'http://localhost').searchParams.get('question');
    for (const prompt of PROMPTS) expect(promptInAddress(askedAt(studioHref(prompt)))).toBe(prompt);
    expect(promptInAddress(askedAt(studioHref('What did I just make up?')))).toBeUndefined();
    const others = ['', ' ', '-1', '1.5', '0x3', '3e0', `${PROMPTS.length}`, '9'.repeat(400), ['3', '3']];
    for (const asked of [...others, null, undefined]) expect(promptInAddress(asked)).toBeUndefined();
  });

  it('are all asked, day by day, before one comes back', () => {
    const days = PROMPTS.map((_, n) => new Date(Date.UTC(2026, 11, 15 + n)).toISOString().slice(0, 10));
    expect(new Set(days.map(promptOfDay))).toEqual(new Set(PROMPTS));
    // Of the 20,802nd day since 1970, whenever and by whomever it's asked.
    expect(promptOfDay('2026-12-15')).toBe(PROMPTS[20_802 % PROMPTS.length]);
  });
});
