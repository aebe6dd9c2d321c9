import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getDeviceSetting, switchStorageAccount } from '@/components/ui/browser-storage';
import type { Note } from '@/lib/journal/notes/contract';
import { type EditBrowser, type EditTab, openEditBrowser } from '@/test/edit-browser';
import { startLocalServices } from '@/test/services';

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

beforeEach(async () => {
  ({ of, journal, browser, setAnswersLost, openTab } = await openEditBrowser());
  tab = await openTab();
});

const problems = async () => (await tab.listEdits(of.owner)).map(({ problem }) => problem?.kind ?? null);

describe('notes that were written without a network', () => {
  it('wait, and are sent in order with their time and moment', async () => {
    browser.isOnline = false;
    await tab.addNote(of, ' First ', 12.5);
    await tab.addNote(of, 'Second', null);
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 0, waiting: 2, unsaved: 0 });
    expect(getDeviceSetting('daylight-edits')).toBe(of.owner);
    browser.isOnline = true;
    tab = await openTab();
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 2, waiting: 0, unsaved: 0 });
    expect(await journal.listNotes()).toMatchObject([
      { text: 'Second', moment: null },
      { text: 'First', moment: 12.5 },
    ]);
    expect(getDeviceSetting('daylight-edits')).toBeNull();
  });

  it('are added once if answers get lost, with what was changed since', async () => {
    setAnswersLost(true);
    await tab.addNote(of, 'One', null);
    await tab.addNote(of, 'Two', null);
    await tab.sendEdits(of.owner);
    setAnswersLost(false);
    browser.isOnline = false;
    const [one] = await tab.listEdits(of.owner);
    await tab.editNote(of, { id: one?.target ?? '', text: 'One', moment: null, createdAt: '' }, 'One more');
    browser.isOnline = true;
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Two', 'One more']);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are sent once by two tabs', async () => {
    await tab.addNote(of, 'Only', null);
    const other = await openTab();
    await Promise.all([tab.sendEdits(of.owner), other.sendEdits(of.owner)]);
    expect(await journal.texts()).toEqual(['Only']);
  });

  it('aren’t sent if they were deleted again, even after a lost answer', async () => {
    browser.isOnline = false;
    await tab.addNote(of, 'Never mind', null);
    const shown = async (): Promise<Note> => {
      const [edit] = await tab.listEdits(of.owner);
      return { id: edit?.target ?? '', text: '', moment: null, createdAt: '' };
    };
    await tab.deleteNote(of, await shown());
    browser.isOnline = true;
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual([]);

    setAnswersLost(true);
    await tab.addNote(of, 'Too late', null);
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Too late']);
    setAnswersLost(false);
    await tab.deleteNote(of, await shown());
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual([]);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are edited while they’re being sent, and lose neither text', async () => {
    await tab.addNote(of, 'Draft', null);
    browser.onCall = async (call) => {
      if (!call.endsWith('/notes')) return;
      const [edit] = await tab.listEdits(of.owner);
      await tab.editNote(of, { id: edit?.target ?? '', text: 'Draft', moment: null, createdAt: '' }, 'Final');
    };
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Final']);
  });

  it('stay when the session has ended, until its owner is back', async () => {
    browser.onCall = () =>
      Response.json({ message: 'Log in to continue.', code: 'unauthenticated' }, { status: 401 });
    await tab.addNote(of, 'Patient', null);
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 0, waiting: 1, unsaved: 0 });
    browser.onCall = () => null;
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 0 });
  });

  it('stay as long as the entry is in the trash, with the reason', async () => {
    await tab.addNote(of, 'For later', null);
    await journal.moveToTrash();
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 0, waiting: 0, unsaved: 1 });
    expect(await problems()).toEqual(['entry-gone']);
  });

  it('don’t keep others from being sent if the server doesn’t accept them', async () => {
    await tab.addNote(of, 'x'.repeat(10_001), null);
    await tab.addNote(of, 'Fine', null);
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 1 });
    expect(await problems()).toEqual(['refused']);
    expect(await journal.texts()).toEqual(['Fine']);
    const [edit] = await tab.listEdits(of.owner);
    await tab.editNote(of, { id: edit?.target ?? '', text: '', moment: null, createdAt: '' }, 'Shorter');
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Fine', 'Shorter']);
  });

  it('don’t keep others from being sent if the journal has no space for them', async () => {
    const note = await journal.addNote('Long enough to be made shorter');
    await journal.setTextBytes(200_000_000);
    await tab.addNote(of, 'Too much', null);
    await tab.editNote(of, note, 'Shorter');
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 1 });
    expect(await problems()).toEqual(['refused']);
    expect(await journal.texts()).toEqual(['Shorter']);
    await journal.setTextBytes(7);
    const [edit] = await tab.listEdits(of.owner);
    await tab.editNote(of, { id: edit?.target ?? '', text: '', moment: null, createdAt: '' }, 'Just right');
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Just right', 'Shorter']);
  });

  it('are another account’s business', async () => {
    await tab.addNote(of, 'Mine', null);
    switchStorageAccount('another');
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 0, waiting: 1, unsaved: 0 });
    await expect(tab.addNote(of, 'Late', null)).rejects.toThrow('logged out');
    expect(await tab.listEdits('another')).toEqual([]);
    await tab.deleteEdits(of.owner);
    expect(getDeviceSetting('daylight-edits')).toBeNull();
  });
});

describe('notes that were changed without a network', () => {
  it('have their last text, and none is stored if nothing has changed', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Mine');
    await tab.editNote(of, note, 'Mine at last');
    expect(await tab.countEdits(of.owner)).toBe(1);
    await tab.sendEdits(of.owner);
    expect(await journal.listNotes()).toMatchObject([{ text: 'Mine at last', moment: 4 }]);
    await tab.editNote(of, note, 'Else');
    await tab.editNote(of, note, note.text);
    await tab.deleteNote(of, note);
    await tab.undoDeleteNote(of, note);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('become a note of their own if they were changed elsewhere, too, though an answer gets lost', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Mine');
    await journal.changeNote(note, 'Theirs');
    setAnswersLost(true);
    await tab.sendEdits(of.owner);
    setAnswersLost(false);
    await tab.sendEdits(of.owner);
    expect(await journal.listNotes()).toMatchObject([
      { text: 'Mine', moment: 4 },
      { id: note.id, text: 'Theirs' },
    ]);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('become one note if both sides wrote the same', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Ours');
    await journal.changeNote(note, 'Ours');
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 0 });
    expect(await journal.texts()).toEqual(['Ours']);
  });

  it('aren’t added if they’re deleted while they’re being sent', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Mine');
    await journal.changeNote(note, 'Theirs');
    browser.onCall = async (call) => {
      if (call.startsWith('POST')) await tab.deleteNote(of, note);
    };
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Theirs']);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are deleted, except for those that were changed elsewhere', async () => {
    const [changed, same] = [await journal.addNote('Base'), await journal.addNote('Same')];
    await tab.deleteNote(of, changed);
    await tab.deleteNote(of, same);
    await journal.changeNote(changed, 'Theirs');
    await tab.sendEdits(of.owner);
    expect(await journal.texts()).toEqual(['Theirs']);
    expect(await tab.countEdits(of.owner)).toBe(0);
  });

  it('are added anew if they were deleted elsewhere', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Mine');
    await journal.deleteNote(note);
    expect(await tab.sendEdits(of.owner)).toEqual({ sent: 1, waiting: 0, unsaved: 0 });
    expect(await journal.listNotes()).toMatchObject([{ text: 'Mine', moment: 4 }]);
  });

  it('wait with their text while the entry is in the trash', async () => {
    const note = await journal.addNote('Base');
    await tab.editNote(of, note, 'Mine');
    await journal.moveToTrash();
    expect((await tab.sendEdits(of.owner)).unsaved).toBe(1);
    expect(await tab.listEdits(of.owner)).toMatchObject([{ text: 'Mine', problem: { kind: 'entry-gone' } }]);
    await journal.restore();
    const [edit] = await tab.listEdits(of.owner);
    if (edit) await tab.retryEdit(edit);
    await tab.sendEdits(of.owner);
    expect(await journal.listNotes()).toMatchObject([{ id: note.id, text: 'Mine' }]);
  });
});
