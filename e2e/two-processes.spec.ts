import { join } from 'node:path';
import { expect } from '@playwright/test';
import { testedProxy } from '@/lab/real/nginx';
import { getEntry } from '@/lib/journal/entries/contract';
import { listTags } from '@/lib/journal/tags/contract';
import { readJson } from '@/local/up/data-dir';
import { isSameProcess, type ProcessIdentity } from '@/local/up/processes';
import { signUp } from './accounts';
import { type Client, uploadVideo } from './client';
import { startLoad } from './load';
import { openMailbox } from './mailbox';
import { test } from './own-copy';
import type { RunningApp } from './running-app';
import { slowClip } from './slow-clip';

test.skip(!testedProxy(), 'It needs two processes behind a proxy.');
test.setTimeout(600_000);

/** Sends a signal to one of the processes, and waits until it's gone and its successor answers. */
async function replace({ dataDir, siteUrls }: RunningApp, index: number, signal: NodeJS.Signals) {
  const pidFile = join(dataDir, index === 0 ? 'app.pid' : `app-${index + 1}.pid`);
  const old = readJson<ProcessIdentity>(pidFile);
  if (!old) throw new Error('The process is not running.');
  process.kill(old.pid, signal);
  await expect.poll(() => isSameProcess(old), { timeout: 60_000 }).toBe(false);
  const isHealthy = () =>
    fetch(`${siteUrls[index]}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isHealthy, { timeout: 120_000 }).toBe(true);
}

const tagNames = async (api: Client) => (await api.call(listTags)).categories.map(({ name }) => name);

test('a rolling restart fails no request', async ({ own }) => {
  const app = await own.start();
  const { api } = await signUp(app.url, openMailbox(app));
  const load = startLoad(api);
  await load.sendMore(50);
  for (const index of app.siteUrls.keys()) {
    await replace(app, index, 'SIGTERM');
    await load.sendMore(50);
  }
  await load.stop();
  const { failedReads, failedWrites, written } = load.totals;
  expect([failedReads, failedWrites]).toEqual([[], []]);
  expect(await tagNames(api)).toEqual(expect.arrayContaining(written));
});

test('kill -9 of one process fails no read, loses nothing that was acknowledged, and uploads go on', async ({
  own,
}) => {
  const app = await own.start();
  const { api } = await signUp(app.url, openMailbox(app));
  const ids = [];
  for (const title of ['One', 'Two', 'Three']) {
    ids.push(await uploadVideo(api, await slowClip(), { title, contentType: 'video/webm' }));
  }
  const load = startLoad(api);
  await load.sendMore(50);
  for (const index of app.siteUrls.keys()) {
    await replace(app, index, 'SIGKILL');
    await load.sendMore(50);
  }
  await load.stop();
  const { failedReads, failedWrites, written } = load.totals;
  expect(failedReads).toEqual([]);
  // A write that a killed process was working on isn't sent again, because it may have taken effect.
  expect(failedWrites.filter((failure) => !failure.startsWith('502 '))).toEqual([]);
  expect(await tagNames(api)).toEqual(expect.arrayContaining(written));
  for (const id of ids) {
    const statuses = async () => {
      const { videoStatus, transcription } = await api.call(getEntry, { params: { id } });
      return [videoStatus, transcription.status];
    };
    await expect.poll(statuses, { timeout: 300_000, intervals: [500] }).toEqual(['ready', 'no_speech']);
  }
});
