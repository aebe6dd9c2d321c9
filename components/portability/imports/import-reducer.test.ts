import { describe, expect, it } from 'vitest';
import { type ImportEvent, type ImportState, importReducer, NO_IMPORT } from './import-reducer';

const plan = {
  total: 1,
  bytes: 9,
  years: null,
  existing: 0,
  wanted: [],
  unfit: [],
  spaceLeft: '',
  refused: [],
};
const session: NonNullable<ImportState['session']> = {
  account: 'a',
  limits: { bytes: 1000, seconds: 60 },
  source: {
    ...{ kind: 'daylight', name: 'journal.zip', items: [], tags: 3 },
    findStates: async () => [],
    sendShared: async () => {},
    stopsAll: () => false,
  },
  handles: [],
  clips: null,
};
const entry = { id: '1', title: 'Lake', date: '2019-07-04', reason: 'Damaged.' };

const EVENTS: ImportEvent[] = [
  { type: 'interrupted', name: 'old.zip' },
  { type: 'reading', name: 'journal.zip' },
  { type: 'read', reading: { step: 'files', done: 1, total: 2 } },
  { type: 'planned', session, plan, importId: null },
  { type: 'reviewed-again' },
  { type: 'started' },
  { type: 'progress', values: { sent: 5 } },
  { type: 'entry-failed', entry },
  { type: 'entry-finished' },
  { type: 'stopped', problem: 'Offline.' },
  { type: 'refused', problem: 'Elsewhere.' },
  { type: 'finished' },
];

/** Returns the state after events, each of which must change something. */
function run(start: ImportState, ...events: ImportEvent[]): ImportState {
  return events.reduce((state, event) => {
    const next = importReducer(state, event);
    expect(next, event.type).not.toBe(state);
    return next;
  }, start);
}

const READING = run(NO_IMPORT, { type: 'reading', name: 'journal.zip' });
const READY = run(READING, { type: 'planned', session, plan, importId: null });
const RUNNING = run(READY, { type: 'started' }, { type: 'progress', values: { importId: 'i' } });
const PAUSED = run(RUNNING, { type: 'stopped', problem: null });
const DONE = run(RUNNING, { type: 'entry-failed', entry }, { type: 'entry-finished' }, { type: 'finished' });

describe('an import’s state', () => {
  it.each([
    ['idle', NO_IMPORT, ['interrupted', 'reading']],
    ['interrupted', run(NO_IMPORT, { type: 'interrupted', name: 'old.zip' }), ['reading']],
    ['reading', READING, ['read', 'planned', 'stopped']],
    ['ready', READY, ['reviewed-again', 'started']],
    ['running', RUNNING, ['progress', 'entry-failed', 'entry-finished', 'stopped', 'refused', 'finished']],
    ['paused', PAUSED, ['reading']],
    ['done', DONE, ['reading']],
  ])('ignores what doesn’t happen in the phase %s', (phase, state, expected) => {
    expect(state.phase).toBe(phase);
    const changing = EVENTS.filter((event) => importReducer(state, event) !== state);
    expect(changing.map(({ type }) => type)).toEqual(expected);
    expect(importReducer(state, { type: 'forgotten' })).toEqual(NO_IMPORT);
  });

  it('goes back to an import that isn’t finished if looking into its files fails or is canceled', () => {
    const again = run(PAUSED, { type: 'reading', name: 'journal.zip' });
    expect(again).toMatchObject({ phase: 'reading', plan: null, importId: null });
    expect(run(again, { type: 'stopped', problem: null })).toEqual(PAUSED);
    expect(run(again, { type: 'stopped', problem: 'Offline.' })).toEqual({ ...PAUSED, problem: 'Offline.' });
    const retried = run(DONE, { type: 'reading', name: '' }, { type: 'stopped', problem: null });
    expect(retried).toEqual({ ...DONE, phase: 'paused' });
    expect(run(READING, { type: 'stopped', problem: 'Foreign.' })).toEqual({
      ...NO_IMPORT,
      problem: 'Foreign.',
    });
  });

  it('remembers the video that was being sent, so that giving up frees its space', () => {
    const sending = run(RUNNING, { type: 'progress', values: { openEntry: 'e' } });
    const asked = run(
      sending,
      { type: 'stopped', problem: null },
      { type: 'reading', name: 'journal.zip' },
      { type: 'planned', session, plan, importId: 'i' },
    );
    expect(asked).toMatchObject({ phase: 'ready', importId: 'i', openEntry: 'e' });
    expect(run(sending, { type: 'entry-finished' })).toMatchObject({ finished: 1, openEntry: null });
  });

  it('counts a failed entry once, and starts over with none', () => {
    expect(DONE).toMatchObject({ finished: 1, failed: [entry] });
    const again = run(
      DONE,
      { type: 'reading', name: '' },
      { type: 'planned', session, plan, importId: 'i' },
      { type: 'started' },
    );
    expect(again).toMatchObject({ finished: 0, failed: [] });
  });

  it('stays ready while another tab runs it', () => {
    const refused = run(READY, { type: 'started' }, { type: 'refused', problem: 'Elsewhere.' });
    expect(refused).toEqual({ ...READY, problem: 'Elsewhere.' });
  });
});
