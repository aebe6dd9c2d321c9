import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ImportItem, ImportSource } from './import-source';
import { dispatchImport, getImportState } from './import-state';
import { runImport } from './run-import';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const item = (id: string, send: ImportItem['send']): ImportItem => ({
  ...{ id, title: id, date: '2019-07-04', bytes: 1_000_000, seconds: 1, problem: null },
  send,
});

it('estimates the time left by what was sent, not by clips that fail at once', async () => {
  const unreadable = ['a', 'b'].map((id) =>
    item(id, () => Promise.reject(new DOMException('', 'NotFoundError'))),
  );
  let left: number | null = null;
  const slow = item('c', async (_, { onProgress }) => {
    for (let sent = 0; sent <= 500_000; sent += 100_000) {
      onProgress(sent);
      vi.advanceTimersByTime(1000);
    }
    left = getImportState().secondsLeft;
  });
  const items = [...unreadable, slow];
  const source: ImportSource = {
    ...{ kind: 'files', name: 'Clips', items, tags: 0 },
    findStates: async () => [],
    sendShared: async () => {},
    stopsAll: () => false,
  };
  dispatchImport({ type: 'reading', name: 'Clips' });
  const limits = { bytes: 4_000_000_000, seconds: 7200 };
  const session = { account: 'a', limits, source, handles: [], clips: null };
  const plan = {
    total: 3,
    bytes: 0,
    years: null,
    existing: 0,
    wanted: [],
    unfit: [],
    spaceLeft: '',
    refused: [],
  };
  dispatchImport({ type: 'planned', session, plan, importId: null });
  dispatchImport({ type: 'started' });
  await runImport(source, 'import', items, new EventTarget(), new AbortController().signal);
  // Half of the last one, at 100 kB a second.
  expect(left).toBeCloseTo(5);
  expect(getImportState()).toMatchObject({ finished: 3, sent: 3_000_000, total: 3_000_000 });
  expect(getImportState().failed.map(({ id }) => id)).toEqual(['a', 'b']);
});
