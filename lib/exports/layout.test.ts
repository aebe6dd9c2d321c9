import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type EntryValues,
  makeStoredVideo,
  prepareArchive,
  readArchive,
  requestExport,
} from '@/test/export-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

/** Creates an entry whose video has no copy. */
const makeVideo = (userId: string, values: EntryValues = {}) =>
  makeStoredVideo(services.folder('video'), userId, 10, { videoStatus: 'failed', videoKey: null, ...values });

it('gives entries different names, whatever their files are', async () => {
  const { id: userId } = await makeUser();
  const titles: [string, EntryValues][] = [
    ['Untitled', { fileName: 'a.mp4', transcriptStatus: 'no_speech' }],
    ['Untitled', { fileName: 'b.webm' }],
    ['Straße', { fileName: 'c.mp4' }],
    ['STRASSE', { fileName: 'd.mov' }],
    ['Untitled.playable', { fileName: 'e.mp4' }],
  ];
  for (const [title, values] of titles) await makeVideo(userId, { title, ...values });
  const run = await requestExport(userId);
  await prepareArchive(run);
  const { journal, paths } = await readArchive(run);
  expect(journal.entries.map(({ original }) => original?.path)).toEqual([
    '2026/2026-01-15 Untitled.mp4',
    '2026/2026-01-15 Untitled (2).webm',
    '2026/2026-01-15 Straße.mp4',
    '2026/2026-01-15 STRASSE (2).mov',
    '2026/2026-01-15 Untitled.playable.mp4',
  ]);
  expect(new Set(paths.map((path) => path.toUpperCase())).size).toBe(paths.length);
});
