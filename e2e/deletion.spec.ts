import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/contract';
import { entryPrefix } from '@/lib/journal/entries/keys';
import { ffmpegProcesses } from '@/test/ffmpeg-processes';
import { uploadVideo } from './client';
import { userIdOf } from './database';
import { expect, test } from './fixtures';
import { pauseEncoding, slowClip } from './slow-clip';
import { listObjects } from './storage';

test.skip(process.platform !== 'linux', 'It looks for processes in /proc.');

/** The jobs' files of an entry on this machine. */
async function filesOf(entryId: string): Promise<string[]> {
  const names = await readdir(join(tmpdir(), 'daylight-work'));
  return names.filter((name) => name.startsWith(entryId));
}

test('permanently deleting an entry stops the ffmpeg that works on it, and leaves no file and no object', async ({
  app,
  account,
  sql,
}) => {
  const { api, email } = account;
  const id = await uploadVideo(api, await slowClip(), { contentType: 'video/webm' });
  await pauseEncoding(api, id);
  expect(await filesOf(id)).not.toEqual([]);
  await api.call(removeEntry, { params: { id } });
  await api.call(purgeEntry, { params: { id } });
  const deletedAt = Date.now();
  await expect.poll(() => ffmpegProcesses(id), { timeout: 60_000, intervals: [100] }).toEqual([]);
  test.info().annotations.push({ type: 'seconds', description: String((Date.now() - deletedAt) / 1000) });
  await expect.poll(() => filesOf(id)).toEqual([]);
  const prefix = entryPrefix(await userIdOf(sql, email), id);
  await expect.poll(() => listObjects(app, prefix), { timeout: 60_000 }).toEqual([]);
});
