import { expect, it } from 'vitest';
import { galleryHref, readGalleryQuery, toggleTag } from './gallery-href';

const [ONE, TWO] = ['0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90', '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d91'];

it('writes what it reads', () => {
  for (const address of [
    '/journals',
    '/journals?view=calendar&month=2026-11',
    `/journals?tag=${ONE}&tag=${TWO}&view=timeline&month=2026&at=2026-03-01&notes=true`,
  ]) {
    const params: Record<string, string[]> = {};
    for (const [name, value] of new URL(address, 'http://localhost').searchParams) {
      params[name] = [...(params[name] ?? []), value];
    }
    const flat = Object.fromEntries(
      Object.entries(params).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
    );
    expect(galleryHref(readGalleryQuery(flat))).toBe(address);
  }
  expect(galleryHref({ month: '2026-11' }, 3)).toBe('/journals?month=2026-11&page=3');
});

it('ignores what isn’t valid', () => {
  const query = readGalleryQuery({
    tag: ['x', ONE, ONE],
    month: '2026-13',
    view: 'list',
    at: 'now',
    notes: '1',
  });
  expect(query).toEqual({ tag: [ONE] });
});

it('adds and removes a tag', () => {
  const both = toggleTag({ tag: [ONE], month: '2026' }, TWO);
  expect(both).toEqual({ tag: [ONE, TWO], month: '2026' });
  expect(toggleTag(both, ONE).tag).toEqual([TWO]);
});
