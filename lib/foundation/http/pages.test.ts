import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isMemberPage, isPublicPage, READING_PAGES } from './pages';

const app = resolve(import.meta.dirname, '../../../app');

/** Returns the addresses of all pages, with `x` for parameters. */
function addresses(folder = app, path = ''): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
    if (item.isFile()) return item.name === 'page.tsx' ? [path || '/'] : [];
    const part = /^\(|^\[\[/.test(item.name) ? '' : `/${item.name.replace(/^\[.*\]$/, 'x')}`;
    return addresses(join(folder, item.name), path + part);
  });
}

it('knows of every page whether it needs a session', () => {
  const pages = addresses();
  expect(pages).toEqual(expect.arrayContaining(['/', '/upload', '/entry/x', '/reset/x/x']));
  // The landing page has no address of its own.
  const known = pages.filter((path) => path !== '/' && path !== '/landing');
  expect(known.filter((path) => isMemberPage(path) === isPublicPage(path))).toEqual([]);
  expect(READING_PAGES.filter((path) => !pages.includes(path) || !isPublicPage(path))).toEqual([]);
});

it('takes nothing for a page that only starts like one', () => {
  for (const path of ['/no-such-page', '/uploads', '/privacy/x', '/loginx', '/settingsx'])
    expect([path, isMemberPage(path), isPublicPage(path)]).toEqual([path, false, false]);
});
