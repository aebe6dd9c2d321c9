import { describe, expect, it } from 'vitest';
import { nextPrompt, PROMPTS } from './prompts';

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
});
