import { beforeEach, expect, it, vi } from 'vitest';
import {
  decrementStoredCount,
  describeEviction,
  detectEviction,
  dismissEvicted,
  hasCounts,
  readEvicted,
  setStoredCount,
} from './eviction-detection';

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

it('has a cookie only while something is stored', () => {
  expect(hasCounts()).toBe(false);
  detectEviction('recordings', 0);
  expect(document.cookie).toBe('theme=dark');
  setStoredCount('recordings', 2);
  expect(document.cookie).toBe('theme=dark; daylight-kept=2.0.0-0.0.0');
  decrementStoredCount('recordings');
  setStoredCount('recordings', 1);
  setStoredCount('entries', 3);
  expect(document.cookie).toContain('daylight-kept=1.0.3-0.0.0');
  setStoredCount('recordings', 0);
  setStoredCount('entries', 0);
  expect(document.cookie).toBe('theme=dark');
});

it('tells what’s missing until somebody has read it, also if more is stored meanwhile', () => {
  setStoredCount('recordings', 2);
  setStoredCount('entries', 3);
  expect(readEvicted()).toBeNull();
  detectEviction('recordings', 0);
  setStoredCount('recordings', 1);
  detectEviction('entries', 1);
  expect(readEvicted()).toEqual({ recordings: 2, uploads: 0, entries: 2 });
  dismissEvicted();
  expect(readEvicted()).toBeNull();
  expect(document.cookie).toContain('daylight-kept=1.0.1-0.0.0');
});

it('says nothing if a page was closed between a change and counting it', () => {
  setStoredCount('uploads', 2);
  // One was added and not counted; then one was to be deleted and wasn't.
  detectEviction('uploads', 3);
  decrementStoredCount('uploads');
  detectEviction('uploads', 3);
  expect(readEvicted()).toBeNull();
});

const NONE = { recordings: 0, uploads: 0, entries: 0 };
const OTHERS = 'If other people use this browser, some of it may have been theirs.';

it('says what’s gone, in numbers', () => {
  expect(describeEviction({ ...NONE, recordings: 2, entries: 3 })).toBe(
    `Your browser deleted 2 recordings that weren’t uploaded and 3 entries kept on this device, most likely to free up space. Entries are still in your journal. ${OTHERS}`,
  );
  expect(describeEviction({ ...NONE, recordings: 1 })).toBe(
    `Your browser deleted 1 recording that wasn’t uploaded, most likely to free up space. ${OTHERS}`,
  );
  expect(describeEviction({ recordings: 1, uploads: 1, entries: 1 })).toContain(
    'deleted 1 recording that wasn’t uploaded, 1 upload that wasn’t finished, and 1 entry kept on this device,',
  );
});
