import { expect, it } from 'vitest';
import { entryHref } from './entry-href';

const ID = '0195f2a0-7c1e-7d3b-9a51-2f6c8e4b1d90';
const pathOf = (title: string) => new URL(entryHref({ id: ID, title }), 'https://daylight.example').pathname;

it.each(['A walk', '京都', '.hidden', '...', 'a/b', '../..', '%2e%2e', '?#'])('has the title %j', (title) => {
  expect(decodeURIComponent(pathOf(title))).toBe(`/entry/${ID}/${title}`);
});

it.each(['.', '..'])('leaves out %j, which a browser would take for another path', (title) => {
  expect(pathOf(title)).toBe(`/entry/${ID}`);
});
