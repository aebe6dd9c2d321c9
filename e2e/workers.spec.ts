import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { getEntry } from '@/lib/journal/entries/contract';
import { readJson } from '@/local/up/data-dir';
import { isSameProcess, type ProcessIdentity } from '@/local/up/processes';
import { workerPidFiles } from '@/local/up/workers';
import { ffmpegProcesses, signalFfmpeg } from '@/test/ffmpeg-processes';
import { testedService } from '@/test/tested-services';
import { signUp } from './accounts';
import { uploadVideo } from './client';
import { openMailbox } from './mailbox';
import { test } from './own-copy';
import { isBelow } from './process-tree';
import type { RunningApp } from './running-app';
import { pauseEncoding, slowClip } from './slow-clip';
import { listObjects } from './storage';

test.skip(testedService('jobs')?.JOBS !== 'worker', 'Workers can’t connect to the local job runner.');
test.skip(process.platform !== 'linux', 'It looks for processes in /proc.');
test.setTimeout(900_000);

/** Returns the worker whose ffmpeg works on an entry. */
async function workerOf({ dataDir }: RunningApp, entryId: string): Promise<ProcessIdentity> {
  const [ffmpeg = 0] = await ffmpegProcesses(entryId);
  const workers = workerPidFiles(dataDir).flatMap((file) => readJson<ProcessIdentity>(file) ?? []);
  const found = workers.find(({ pid }) => isBelow(ffmpeg, pid));
  if (!found) throw new Error('No worker works on this entry.');
  return found;
}

test('a run goes on in another worker when its own is told to stop, and when it is killed', async ({
  own,
}) => {
  const app = await own.start();
  expect((await fetch(`${app.url}/api/inngest`)).status, 'the site runs no jobs').toBe(404);
  const { api } = await signUp(app.url, openMailbox(app));
  const countInLog = (event: string) =>
    readFileSync(join(app.dataDir, 'logs', 'workers.log'), 'utf8').split(`"event":"${event}"`).length - 1;

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await test.step(signal, async () => {
      const id = await uploadVideo(api, await slowClip(), { contentType: 'video/webm' });
      await pauseEncoding(api, id);
      const worker = await workerOf(app, id);
      process.kill(worker.pid, signal);
      if (signal === 'SIGTERM') {
        await expect.poll(() => countInLog('worker.stopping')).toBe(1);
        expect(isSameProcess(worker), 'it finishes its step').toBe(true);
        await signalFfmpeg(id, 'SIGCONT');
      }
      await expect.poll(() => isSameProcess(worker), { timeout: 120_000 }).toBe(false);
      // It stopped in order, and not because something else ended it.
      expect(countInLog('worker.stopped')).toBe(1);
      const status = async () => (await api.call(getEntry, { params: { id } })).videoStatus;
      await expect.poll(status, { timeout: 400_000, intervals: [500] }).toBe('ready');
      const names = async () => {
        const keys = (await listObjects(app)).filter((key) => key.includes(id));
        return keys.map((key) => key.split('/').pop()).filter((name) => !name?.startsWith('remux.'));
      };
      await expect
        .poll(names, { timeout: 100_000 })
        .toEqual(['source', 'storyboard.jpg', 'thumbnail.jpg', 'video.mp4']);
      await expect.poll(() => ffmpegProcesses(id)).toEqual([]);
    });
  }
});
