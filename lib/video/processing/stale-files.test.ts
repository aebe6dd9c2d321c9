import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uploadObject } from '@/lib/clients/storage-objects';
import { entryKey } from '@/lib/journal/entries/keys';
import { purgeEntry, removeEntry } from '@/lib/journal/entries/trash';
import { childProgram } from '@/test/child-program';
import { makeEntry, makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { fetchEntryFile, removeCachedCopies, withStepFolder, workspaceRoot } from './entry-files';
import { removeStaleFiles } from './stale-files';
import { runEntryStep } from './step';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
  process.env.TMPDIR = services.folder('tmp');
  await mkdir(workspaceRoot(), { recursive: true });
});
afterAll(() => services.end());

const files = () => readdir(workspaceRoot());

/** Creates an entry with its uploaded file in storage and a shared copy of it on this machine. */
async function copied(values: Parameters<typeof makeEntry>[1] = {}) {
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'processing', ...values });
  const file = path.join(workspaceRoot(), '..', 'uploaded');
  await writeFile(file, 'a whole video');
  await uploadObject(file, entryKey(userId, entryId, 'source'), 'video/mp4');
  const entry = { userId, entryId };
  await withStepFolder(entryId, (folder) => fetchEntryFile(entry, 'source', folder));
  return entry;
}

/** Starts a process that's in the middle of a step. */
async function working(entryId: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [await childProgram('test/step-process.ts'), entryId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

it('removes the folder of a step whose process was killed, and leaves that of a running one', async () => {
  const { id: userId } = await makeUser();
  const [killed, running] = [await makeEntry(userId), await makeEntry(userId)];
  const [first, second] = await Promise.all([working(killed.id), working(running.id)]);
  try {
    await kill(first);
    expect(await files()).toHaveLength(2);
    await withStepFolder(killed.id, async () => {
      await removeStaleFiles();
      const left = (await files()).map((name) => name.split('.')[0]).sort();
      expect(left).toEqual([killed.id, running.id].sort());
    });
  } finally {
    await kill(second);
  }
  await removeStaleFiles();
  expect(await files()).toEqual([]);
});

it('keeps the shared copy of an entry that has work left', async () => {
  const [video, words] = [
    await copied(),
    await copied({ videoStatus: 'ready', transcriptStatus: 'processing' }),
  ];
  await removeStaleFiles();
  expect((await files()).map((name) => name.split('.')[0]).sort()).toEqual(
    [video.entryId, words.entryId].sort(),
  );
  for (const { userId, entryId } of [video, words]) await removeEntry(userId, entryId);
  await removeStaleFiles();
  expect(await files()).toEqual([]);
});

it('removes the shared copies of entries that are finished, failed, in the trash or purged', async () => {
  await copied({ videoStatus: 'ready', transcriptStatus: 'completed' });
  await copied({ videoStatus: 'failed', transcriptStatus: 'failed' });
  const trashed = await copied();
  const purged = await copied();
  for (const { userId, entryId } of [trashed, purged]) await removeEntry(userId, entryId);
  await purgeEntry(purged.userId, purged.entryId);
  expect(await files()).toHaveLength(4);
  await removeStaleFiles();
  expect(await files()).toEqual([]);
});

it('takes nothing from a step that is running', async () => {
  const entry = await copied();
  await withStepFolder(entry.entryId, async (folder) => {
    const file = await fetchEntryFile(entry, 'source', folder);
    await removeEntry(entry.userId, entry.entryId);
    await removeStaleFiles();
    await removeCachedCopies(entry.entryId);
    expect(await readFile(file, 'utf8')).toBe('a whole video');
  });
  await removeStaleFiles();
  expect(await files()).toEqual([]);
});

it('keeps what another machine may be using for a day', async () => {
  const { id: userId } = await makeUser();
  const { id } = await makeEntry(userId);
  const elsewhere = path.join(workspaceRoot(), `${id}.step-00000000-1-1-abcdef`);
  await mkdir(elsewhere);
  await removeStaleFiles();
  expect(await files()).toHaveLength(1);
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
  await utimes(elsewhere, yesterday, yesterday);
  await removeStaleFiles();
  expect(await files()).toEqual([]);
});

it('makes space by removing copies that other entries’ steps left here, once a file doesn’t fit', async () => {
  const waiting = await copied();
  const { id: userId } = await makeUser();
  const { id: entryId } = await makeEntry(userId, { videoStatus: 'processing', bytes: 1e15 });
  await withStepFolder(waiting.entryId, async (folder) => {
    const file = await fetchEntryFile(waiting, 'source', folder);
    const run = { userId, entryId, kind: 'video' as const, generation: 0, runId: 'run', attempt: 0 };
    const step = runEntryStep(run, (one) =>
      withStepFolder(one.entryId, (own) => fetchEntryFile(one, 'source', own)),
    );
    await expect(step).rejects.toThrow('doesn’t have enough space');
    expect((await files()).filter((name) => !name.includes('.step-'))).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe('a whole video');
  });
});

it('makes space by an entry’s copies, or by all of them, and leaves what running steps work with', async () => {
  const [one, other] = [await copied(), await copied()];
  await removeCachedCopies(one.entryId);
  expect(await files()).toEqual([expect.stringMatching(`^${other.entryId}\\.source`)]);
  await removeCachedCopies(other.entryId, 'video.mp4');
  expect(await files()).toHaveLength(1);
  await withStepFolder(one.entryId, async () => {
    await removeCachedCopies();
    expect(await files()).toEqual([expect.stringMatching(`^${one.entryId}\\.step-`)]);
  });
});
