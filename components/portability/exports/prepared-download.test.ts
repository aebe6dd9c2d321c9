import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareEntries, saveExport } from '@/components/journal/downloads/prepared-download';

/** What the page's links saved. */
let saved: Partial<HTMLAnchorElement>[];
let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  [saved, controller] = [[], new AbortController()];
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('document', {
    cookie: '',
    createElement: () => {
      const link: Partial<HTMLAnchorElement> = { click: () => void saved.push(link) };
      return link;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers calls with these states in turn; null is a network that's gone, a number an error's status. */
function answer(...answers: (object | number | null)[]): void {
  vi.stubGlobal('fetch', async () => {
    const next = answers.shift();
    if (next === null) throw new TypeError('Failed to fetch');
    return typeof next === 'number' ? new Response('', { status: next }) : Response.json(next);
  });
}

const preparing = (progress: number) => ({ id: 'one', status: 'preparing', progress });
const ready = { id: 'one', status: 'ready', progress: 1, fileName: 'Daylight 2026.zip' };

async function prepare() {
  const progress: number[] = [];
  const done = prepareEntries(['entry'], controller.signal, (value) => progress.push(value));
  done.catch(() => {});
  await vi.runAllTimersAsync();
  return { state: await done, progress };
}

it('goes on after the network was gone or the site was busy while an archive is prepared', async () => {
  answer(preparing(0), null, 503, 502, 429, preparing(0.5), ready);
  const { state, progress } = await prepare();
  expect(state).toEqual(ready);
  expect(progress).toEqual([0, 0, 0, 0, 0, 0.5]);
});

it('ends with an error that stays', async () => {
  answer(preparing(0), 404);
  await expect(prepare()).rejects.toMatchObject({ status: 404 });
});

it('stops when the page is left', async () => {
  answer(preparing(0));
  const left = prepareEntries(['entry'], controller.signal, () => controller.abort(new Error('left')));
  left.catch(() => {});
  await vi.runAllTimersAsync();
  await expect(left).rejects.toThrow('left');
});

it('saves an archive that’s ready, and tells why another can’t be saved', async () => {
  answer(ready, { ...ready, status: 'failed', error: 'It went wrong.' });
  expect(await saveExport('one')).toBeNull();
  const [link, ...others] = saved;
  expect(link).toMatchObject({ href: '/api/v1/exports/one/download', download: 'Daylight 2026.zip' });
  expect(await saveExport('one')).toBe('It went wrong.');
  expect(others).toEqual([]);
});

it('doesn’t open an archive in place of a home-screen app', async () => {
  vi.stubGlobal('navigator', { standalone: true });
  answer(ready);
  expect(await saveExport('one')).toBe('Open Daylight in Safari to save it.');
  expect(saved).toEqual([]);
});
