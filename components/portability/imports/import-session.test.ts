import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ArchivedTranscript } from '@/lib/journal/transcripts/contract';
import { archivedJournal, archivedTranscript, archiveOf } from '@/test/archive-writer';
import { makeUser } from '@/test/factories';
import { openBrowser } from '@/test/import-browser';
import { contentOf, entryAt, idsOf } from '@/test/import-fixtures';
import { mp4Clip } from '@/test/media/small-clips';
import { fullArchive, smallArchive } from '@/test/sample-archives';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());
afterEach(() => void vi.unstubAllGlobals());

const LIMITS = { bytes: 4_000_000_000, seconds: 7200 };

const zip = ({ journal, files } = smallArchive()) =>
  new File([new Uint8Array(archiveOf(journal, files))], 'journal.zip');

/** What a person chooses who picks files. */
const chosen = (...files: File[]) => ({
  name: files[0]?.name ?? '',
  files: files.map((file) => ({ file, path: file.name })),
  unreadable: [],
  handles: [],
});

const OPEN = 'POST /api/v1/imports/entries';

type Browser = ReturnType<typeof openBrowser>;

/** Starts an import, and pauses it when it calls an operation. @param operation how its method and path begin */
async function pauseAt(
  browser: Browser['browser'],
  tab: Awaited<ReturnType<Browser['openTab']>>,
  operation: string,
): Promise<void> {
  browser.onCall = (call) => call.startsWith(operation) && tab.pauseImport();
  await tab.startImport();
  browser.onCall = () => null;
}

describe('an import', () => {
  it('stays when the user continues it while offline', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const tab = await openTab();
    await tab.chooseFiles(id, LIMITS, chosen(zip()));
    await pauseAt(browser, tab, OPEN);
    const paused = tab.getImportState();
    expect(paused).toMatchObject({ phase: 'paused', name: 'journal.zip', problem: null });
    browser.isOnline = false;
    // The second one is a double click.
    await Promise.all([tab.resumeImport(), tab.resumeImport()]);
    expect(tab.getImportState()).toEqual({
      ...paused,
      problem: 'No connection. Check your network, then try again.',
    });
    const reloaded = await openTab();
    reloaded.watchInterruptedImport(id);
    await navigator.locks.request(tab.importLock(id), {}, () => {});
    await reloaded.continueImport(id, LIMITS, chosen(zip()));
    expect(reloaded.getImportState()).toMatchObject({
      ...{ phase: 'interrupted', name: 'journal.zip' },
      problem: 'No connection. Check your network, then try again.',
    });
    browser.isOnline = true;
    await tab.resumeImport();
    expect(tab.getImportState()).toMatchObject({ phase: 'done', failed: [] });
    expect(await idsOf(id)).toHaveLength(1);
  });

  it('stays when the user cancels continuing it', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const tab = await openTab();
    const file = zip();
    await tab.chooseFiles(id, LIMITS, chosen(file));
    await pauseAt(browser, tab, OPEN);
    const paused = tab.getImportState();
    const cancelAtPlan = (other: typeof tab) => {
      browser.onCall = (call) => call.startsWith('GET /api/v1/plan') && other.pauseImport();
    };
    cancelAtPlan(tab);
    await tab.resumeImport();
    expect(tab.getImportState()).toEqual(paused);
    const reloaded = await openTab();
    reloaded.watchInterruptedImport(id);
    await navigator.locks.request(tab.importLock(id), {}, () => {});
    cancelAtPlan(reloaded);
    // The second one is a double click.
    await Promise.all([1, 2].map(() => reloaded.continueImport(id, LIMITS, chosen(file))));
    expect(reloaded.getImportState()).toMatchObject({ phase: 'interrupted', name: 'journal.zip' });
    browser.onCall = () => null;
    await reloaded.continueImport(id, LIMITS, chosen(file));
    expect(reloaded.getImportState()).toMatchObject({ phase: 'done', failed: [] });
    expect(await idsOf(id)).toHaveLength(1);
  });

  it('doesn’t start if its clips are canceled meanwhile, and starts once however often it’s asked', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const tab = await openTab();
    const video = new File([new Uint8Array(mp4Clip({}))], '2019-07-04 Lake.mp4');
    const begin = () => {
      const clips = tab.getImportState().review?.clips ?? [];
      const values = { title: 'Lake', titleFromWords: false, date: '2019-07-04', tags: [] };
      return tab.importClips(
        id,
        LIMITS,
        clips.map((clip) => ({ clip, values })),
      );
    };
    await tab.chooseFiles(id, LIMITS, chosen(video));
    browser.onCall = (call) => call.startsWith('GET /api/v1/plan') && tab.discardImport(id);
    await begin();
    expect([tab.getImportState().phase, await idsOf(id)]).toEqual(['idle', []]);
    browser.onCall = () => null;
    await tab.chooseFiles(id, LIMITS, chosen(video));
    // Listing another folder may end while clips are being looked at.
    expect(await tab.chooseFiles(id, LIMITS, chosen(zip()))).toBe(false);
    expect(tab.getImportState()).toMatchObject({ phase: 'review', name: video.name });
    await Promise.all([begin(), begin()]);
    expect(tab.getImportState()).toMatchObject({ phase: 'done', failed: [] });
    expect(await idsOf(id)).toHaveLength(1);
  });

  it('can’t be given up or continued by another tab while it runs', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const [tab, other] = [await openTab(), await openTab()];
    await tab.chooseFiles(id, LIMITS, chosen(zip()));
    const seen: (string | null)[] = [];
    browser.onCall = async (call) => {
      if (call !== OPEN) return;
      other.watchInterruptedImport(id);
      await other.stopImport(id);
      seen.push(other.getImportState().phase, other.interruptedImport(id));
      tab.pauseImport();
    };
    await tab.startImport();
    expect(seen).toEqual(['idle', 'journal.zip']);
    browser.onCall = () => null;
    // Granted after the other tab, which has waited longer.
    await navigator.locks.request(tab.importLock(id), {}, () => {});
    expect(other.getImportState()).toMatchObject({ phase: 'interrupted', name: 'journal.zip' });
    await other.stopImport(id);
    expect([other.getImportState().phase, other.interruptedImport(id)]).toEqual(['idle', null]);
  });

  it('is finished even if an entry failed, and the user can try that one again', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const tab = await openTab();
    const { journal, files } = fullArchive();
    const words = entryAt(journal).entry.transcript?.path ?? '';
    files.set(words, Buffer.alloc(files.get(words)?.length ?? 0, ' '));
    await tab.chooseFiles(id, LIMITS, chosen(zip({ journal, files })));
    await tab.startImport();
    const { phase, failed } = tab.getImportState();
    expect([phase, failed.map(({ title }) => title)]).toEqual(['done', [journal.entries[0]?.title]]);
    const reloaded = await openTab();
    reloaded.watchInterruptedImport(id);
    await navigator.locks.request(tab.importLock(id), {}, () => {});
    expect(reloaded.getImportState().phase).toBe('idle');
    browser.isOnline = false;
    await tab.resumeImport();
    expect(tab.getImportState()).toMatchObject({ phase: 'paused', name: 'journal.zip' });
    browser.isOnline = true;
    await tab.resumeImport();
    expect(tab.getImportState()).toMatchObject({ phase: 'done', failed });
  });

  it('frees the space of an entry that can’t be imported from this archive', async () => {
    const { id } = await makeUser();
    const { openTab } = openBrowser(id);
    const tab = await openTab();
    const [first] = archivedTranscript.revisions;
    const future = {
      ...archivedTranscript,
      revisions: [{ ...first, createdAt: '2999-01-01T00:00:00.000Z' }],
    };
    const archive = smallArchive({ transcript: future as ArchivedTranscript });
    await tab.chooseFiles(id, LIMITS, chosen(zip(archive)));
    await tab.startImport();
    expect(tab.getImportState().failed.map(({ reason }) => reason)).toEqual([
      'This time is in the future, or too long ago.',
    ]);
    expect(await idsOf(id)).toEqual([]);
  });

  it('can be stopped while it’s paused, which frees the space of what has arrived in part', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const tab = await openTab();
    await tab.chooseFiles(id, LIMITS, chosen(zip()));
    await pauseAt(browser, tab, 'POST /api/v1/entry/');
    expect([tab.getImportState().phase, (await idsOf(id)).length]).toEqual(['paused', 1]);
    await tab.stopImport(id);
    expect([tab.getImportState().phase, tab.interruptedImport(id)]).toEqual(['idle', null]);
    expect(await idsOf(id)).toEqual([]);
  });

  it('says what it leaves out before it goes on after a reload, but not again after a pause', async () => {
    const { id } = await makeUser();
    const { browser, openTab } = openBrowser(id);
    const { journal, files } = fullArchive();
    const file = zip({ journal, files });
    const limits = { ...LIMITS, bytes: 1000 };
    const before = await openTab();
    await before.chooseFiles(id, limits, chosen(file));
    expect(before.getImportState().plan).toMatchObject({ wanted: [{}], refused: [{}] });
    await pauseAt(browser, before, OPEN);
    const tab = await openTab();
    tab.watchInterruptedImport(id);
    await navigator.locks.request(tab.importLock(id), {}, () => {});
    await tab.continueImport(id, limits, chosen(file));
    expect(tab.getImportState().phase).toBe('ready');
    await pauseAt(browser, tab, 'POST /api/v1/entry/');
    expect(tab.getImportState().phase).toBe('paused');
    await tab.resumeImport();
    expect(tab.getImportState()).toMatchObject({ phase: 'done', failed: [], plan: { refused: [{}] } });
  });

  it('brings tags without entries, however many, and goes on if some can’t be imported', async () => {
    const { id } = await makeUser();
    const { openTab } = openBrowser(id);
    const tab = await openTab();
    const tags = Array.from({ length: 5001 }, (_, index) => ({
      ...{ id: `${index}`, color: '#336699' },
      name: index === 0 ? ' ' : `Tag ${index}`,
    }));
    const archive = { journal: archivedJournal([], { tags }), files: new Map() };
    await tab.chooseFiles(id, LIMITS, chosen(zip(archive)));
    expect(tab.getImportState()).toMatchObject({
      phase: 'ready',
      session: { source: { tags: 5001 } },
      plan: { wanted: [] },
    });
    // The second one is a double click.
    await Promise.all([tab.startImport(), tab.startImport()]);
    const done = { phase: 'done', journalProblem: 'Enter a tag name.', problem: null };
    expect(tab.getImportState()).toMatchObject(done);
    expect((await contentOf(id)).tags).toHaveLength(4001);
  });
});
