import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { expect, type Page, test } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { listNotes, postNote } from '@/lib/journal/notes/contract';
import { search } from '@/lib/journal/search/contract';
import { createTag, setEntryTags } from '@/lib/journal/tags/contract';
import { spokenClip } from '@/test/media/speech';
import { testedService } from '@/test/tested-services';
import { type Account, signUp } from './accounts';
import { canDump, copyBucket, dumpDatabase, restoreDatabase, runDoctor } from './backup';
import { createClient, uploadVideo, waitForProcessing } from './client';
import { expectPlays } from './journeys/video-assertions';
import { openMailbox } from './mailbox';
import { startMinimalSite } from './minimal-site';
import { newDataDir, type RunningApp, removeDataDir, startRunningApp } from './running-app';
import { storageClient } from './storage';

test.describe.configure({ mode: 'serial' });
test.setTimeout(300_000);

const backup = newDataDir();
const dump = join(backup, 'daylight.dump');
let account: Account;
let entryId: string;
let authSecret: string;
/** An installation without data. */
let fresh: Awaited<ReturnType<typeof startMinimalSite>>;

/** Returns a client of the bucket that settings name. */
const clientOf = (settings: Record<string, string>) =>
  new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
    },
  });

async function makeEntry(app: RunningApp): Promise<void> {
  account = await signUp(app.url, openMailbox(app));
  const { api } = account;
  entryId = await uploadVideo(api, (await spokenClip()).path, { title: 'Before the storm' });
  const params = { id: entryId };
  await api.call(postNote, { params, body: { text: 'The lighthouse' } });
  const tag = await api.call(createTag, { body: { category_name: 'Harbor' } });
  await api.call(setEntryTags, { params, body: { categories: [tag.id] } });
  await waitForProcessing(api, entryId, 'transcript');
}

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const skipped = testedService('storage') ?? testedService('jobs');
  test.skip(skipped !== null, 'It starts installations of its own.');
  const dataDir = newDataDir();
  const app = await startRunningApp(dataDir);
  try {
    test.skip(!(await canDump(app.addresses.database)), 'It needs the client programs of this Postgres.');
    await makeEntry(app);
    ({ authSecret } = app.secrets);
    // The database first: videos that are added in between are then without an entry, and not the other way around.
    await dumpDatabase(app.addresses.database, dump);
    fresh = await startMinimalSite({ authSecret });
    await copyBucket(storageClient(app), clientOf(fresh.settings), app.storage.bucket);
  } finally {
    await app.stop();
  }
  for (const name of ['storage', 'secrets.json']) {
    cpSync(join(dataDir, name), join(backup, name), { recursive: true });
  }
  removeDataDir(dataDir);
});
test.afterAll(async () => {
  await fresh?.end();
  rmSync(backup, { recursive: true, force: true });
});

/** Expects that the person is still signed in, and that everything of the entry is there. */
async function expectRestored(url: string, page: Page): Promise<void> {
  const api = createClient(url);
  for (const [name, value] of account.api.cookies) api.cookies.set(name, value);
  const params = { id: entryId };
  const entry = await api.call(getEntry, { params });
  expect(entry).toMatchObject({
    title: 'Before the storm',
    videoStatus: 'ready',
    tags: [{ name: 'Harbor' }],
  });
  expect(await api.call(listNotes, { params })).toMatchObject([{ text: 'The lighthouse' }]);
  for (const query of ['storm', 'lighthouse', 'harbor', '"amiable woman"']) {
    expect(await api.call(search, { query: { query } }), query).toMatchObject([{ id: entryId }]);
  }
  const cookies = [...api.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true }));
  await page.context().addCookies(cookies);
  await page.goto(`${url}/entry/${entryId}`);
  await expect(page.getByRole('region', { name: 'Transcript' })).toContainText('a more amiable woman');
  await expectPlays(page.locator('video'));
}

test('a backup restored into a fresh installation plays, once the doctor has recorded its new ETags', async ({
  page,
}) => {
  await restoreDatabase(fresh.settings.DATABASE_URL, dump);
  const found = await runDoctor(fresh.settings, '--data');
  expect([found.code, found.output]).toEqual([
    1,
    expect.stringContaining('1 original has a different ETag than after its upload'),
  ]);
  await runDoctor(fresh.settings, '--repair');
  await fresh.start();
  await expectRestored(fresh.url, page);
  const { code, output } = await runDoctor(fresh.settings, '--data', '--thorough');
  expect([code, output]).toEqual([0, expect.not.stringContaining('✗')]);
});

test('a backup restored into a fresh `up` plays', async ({ page }) => {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { recursive: true });
  for (const name of ['storage', 'secrets.json']) {
    cpSync(join(backup, name), join(dataDir, name), { recursive: true });
  }
  let app = await startRunningApp(dataDir);
  try {
    await restoreDatabase(app.addresses.database, dump);
    await app.stop();
    app = await startRunningApp(dataDir);
    await expectRestored(app.url, page);
  } finally {
    await app.stop();
    removeDataDir(dataDir);
  }
});
