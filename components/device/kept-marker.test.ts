import { beforeEach, expect, it, vi } from 'vitest';
import { expectOneLess, findLost, forgetLost, hasKeptMarks, markKept, reportKept } from './kept-marker';

/** Holds cookies as a document does. */
class CookieJar {
  #cookies = new Map([['theme', 'dark']]);
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  set cookie(line: string) {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('max-age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

beforeEach(() => {
  vi.stubGlobal('document', new CookieJar());
  vi.stubGlobal('window', { location: { protocol: 'https:' } });
  return () => vi.unstubAllGlobals();
});

it('is there only while something is kept', () => {
  expect(hasKeptMarks()).toBe(false);
  reportKept('recordings', 0);
  expect(document.cookie).toBe('theme=dark');
  markKept('recordings', 2);
  expect(document.cookie).toBe('theme=dark; daylight-kept=2.0.0-0.0.0');
  expectOneLess('recordings');
  markKept('recordings', 1);
  markKept('entries', 3);
  expect(document.cookie).toContain('daylight-kept=1.0.3-0.0.0');
  markKept('recordings', 0);
  markKept('entries', 0);
  expect(document.cookie).toBe('theme=dark');
});

it('tells what’s missing until somebody has read it, also if more is kept meanwhile', () => {
  markKept('recordings', 2);
  markKept('entries', 3);
  expect(findLost()).toBeNull();
  reportKept('recordings', 0);
  markKept('recordings', 1);
  reportKept('entries', 1);
  expect(findLost()).toEqual({ recordings: 2, uploads: 0, entries: 2 });
  forgetLost();
  expect(findLost()).toBeNull();
  expect(document.cookie).toContain('daylight-kept=1.0.1-0.0.0');
});

it('says nothing if a page was closed between a change and its mark', () => {
  markKept('uploads', 2);
  // One was added and not counted; then one was to be deleted and wasn't.
  reportKept('uploads', 3);
  expectOneLess('uploads');
  reportKept('uploads', 3);
  expect(findLost()).toBeNull();
});
