import { expect, it } from 'vitest';
import { preloadsPages } from './open-page';

it('requests no page ahead of the worker in Firefox', () => {
  expect(preloadsPages('Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0')).toBe(false);
  for (const version of ['Chrome/156.0.0.0 Safari/537.36', 'Version/60.5 Safari/605.1.15'])
    expect(
      preloadsPages(`Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) ${version}`),
    ).toBe(true);
});
