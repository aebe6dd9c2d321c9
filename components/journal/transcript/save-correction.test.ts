import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getAccountValue } from '@/components/ui/browser-storage';
import { type EditBrowser, type EditTab, openEditBrowser, said } from '@/test/edit-browser';
import { startLocalServices } from '@/test/services';
import { mergedRevisionKey } from './transcript-draft';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
afterEach(() => void vi.unstubAllGlobals());

let of: EditBrowser['of'];
let journal: EditBrowser['journal'];
let browser: EditBrowser['browser'];
let setAnswersLost: EditBrowser['setAnswersLost'];
let openTab: EditBrowser['openTab'];
let tab: EditTab;

describe('transcripts that were corrected without a network', () => {
  const mergedRevision = () => getAccountValue(of.owner, mergedRevisionKey(of.entryId));
  let base: Awaited<ReturnType<typeof journal.saveWords>>;
  beforeEach(async () => {
    ({ of, journal, browser, setAnswersLost, openTab } = await openEditBrowser());
    tab = await openTab();
    base = await journal.saveWords('I called Dan today');
  });

  it('are saved once as one revision, though an answer gets lost', async () => {
    await tab.correctTranscript(of, base, said('I called Dad'));
    await tab.correctTranscript(of, base, said('I called Dad today'));
    setAnswersLost(true);
    await tab.sendEdits(of.owner);
    setAnswersLost(false);
    await tab.sendEdits(of.owner);
    expect(await journal.spoken()).toBe('I called Dad today');
    expect(await journal.history()).toHaveLength(2);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are no conflict with what was corrected after they were saved', async () => {
    await tab.correctTranscript(of, base, said('I called Dad today'));
    setAnswersLost(true);
    await tab.sendEdits(of.owner);
    setAnswersLost(false);
    await journal.saveWords('I called Daddy today');
    await tab.sendEdits(of.owner);
    expect(await journal.spoken()).toBe('I called Daddy today');
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are merged with corrections of other words', async () => {
    await tab.correctTranscript(of, base, said('I called Dad today'));
    await journal.saveWords('I rang Dan today');
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 0 });
    expect(await journal.spoken()).toBe('I rang Dad today');
    expect(mergedRevision()).toBeNull();
  });

  it('are merged again if they’re corrected while they’re being merged', async () => {
    await tab.correctTranscript(of, base, said('I called Dad today'));
    await journal.saveWords('I rang Dan today');
    let isFirst = true;
    browser.onCall = async (call) => {
      if (!isFirst || !call.startsWith('GET')) return;
      isFirst = false;
      await tab.correctTranscript(of, base, said('I called Dad tonight'));
    };
    await tab.sendEdits(of.owner);
    expect(await journal.spoken()).toBe('I rang Dad tonight');
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('stand where the same words were changed, and both are in the history', async () => {
    await tab.correctTranscript(of, base, said('I called Dad today'));
    await journal.saveWords('I rang Don today');
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 0 });
    expect(await journal.history()).toEqual(['I rang Dad today', 'I rang Don today', 'I called Dan today']);
    expect(mergedRevision()).toBe('3');
  });

  it('are saved as they are if the entry is back from the trash', async () => {
    await tab.correctTranscript(of, base, said('I called Dad today'));
    await journal.moveToTrash();
    expect((await tab.sendEdits(of.owner)).unsaved).toBe(1);
    const [edit] = await tab.listEdits(of.owner);
    expect(edit?.problem).toEqual({ kind: 'entry-gone' });
    await journal.restore();
    if (edit) await tab.retryEdit(edit);
    await tab.sendEdits(of.owner);
    expect(await journal.spoken()).toBe('I called Dad today');
  });
});
