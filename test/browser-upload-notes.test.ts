import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { listAllUploads, storeUpload } from '@/components/capture/uploads/queue/upload-store';
import { listNotes } from '@/lib/journal/notes/service';
import { makeUser } from './factories';
import { startLocalServices } from './services';
import { openUploadingBrowser } from './upload-browser';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => services.end());

const NOTES = [
  { client_id: randomUUID(), text: 'The bell', moment: 4.25, createdAt: '2026-01-15T10:00:00.000Z' },
  { client_id: randomUUID(), text: 'The dog', moment: 9, createdAt: '2026-01-15T10:00:05.000Z' },
];

/** Uploads a video that was marked, as an earlier page has stored it. */
async function uploadStored(tab: ReturnType<typeof openUploadingBrowser>, owner: string) {
  const file = new File(['a short video'], 'day.mp4', { type: 'video/mp4' });
  const { name, size, lastModified } = file;
  const id = randomUUID();
  const about = { id, owner, title: 'A day', date: '2026-01-15', name, size, lastModified, sent: 0 };
  vi.stubGlobal('navigator', { ...navigator, storage: { estimate: async () => ({ quota: 1e9, usage: 0 }) } });
  expect(await storeUpload({ ...about, notes: NOTES }, file)).toBe(true);
  const sent = await tab.sendStored(id, file);
  return { ...sent, isStored: (await listAllUploads()).some((upload) => upload.id === id) };
}

it('adds each note once, at its moment, even if its answer is lost', async () => {
  const { id: owner } = await makeUser();
  const tab = openUploadingBrowser(owner);
  let isLost = false;
  tab.browser.onAnswer = (call) => {
    if (isLost || !call.endsWith('/notes')) return;
    isLost = true;
    throw new TypeError('Failed to fetch');
  };
  const { entryId, areNotesSaved, isStored } = await uploadStored(tab, owner);
  expect([isLost, areNotesSaved, isStored]).toEqual([true, true, false]);
  const notes = await listNotes(owner, entryId);
  expect(notes.map(({ text, moment }) => [text, moment])).toEqual([
    ['The dog', 9],
    ['The bell', 4.25],
  ]);
});

it('says when the server takes no note', async () => {
  const { id: owner } = await makeUser();
  const tab = openUploadingBrowser(owner);
  tab.onNotes = () => Response.json({ code: 'quota_reached', message: 'It’s full.' }, { status: 402 });
  expect(await uploadStored(tab, owner)).toMatchObject({ areNotesSaved: false, isStored: false });
});
