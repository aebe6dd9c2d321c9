import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db, type Transaction } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { entryJobs } from '@/db/schema/jobs';
import { previews } from '@/db/schema/previews';
import { startJobs } from '@/lib/messaging/outbox/entry-jobs';
import { endPreviews, savePreviews } from '@/lib/video/previews/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { lose, started } from '@/test/gone-jobs';
import { duringTransaction } from '@/test/open-transaction';
import { requestTranscript } from './speech';

let end: () => Promise<void>;
let userId: string;

beforeAll(async () => {
  end = await useFreshDatabase();
});
beforeEach(async () => {
  userId = (await makeUser()).id;
});
afterAll(() => end());

const WORDS = { videoStatus: 'ready', transcriptStatus: 'processing' } as const;

const previewsRow = async (id: string) =>
  (await db().select().from(previews).where(eq(previews.entryId, id)))[0];
const fulfilled = (value?: unknown) => ({
  waited: true,
  outcome: { status: 'fulfilled', ...(value !== undefined && { value }) },
});

describe('a transcript', () => {
  const generations = async (id: string) =>
    (
      await db()
        .select({ generation: entryJobs.generation })
        .from(entryJobs)
        .where(and(eq(entryJobs.entryId, id), eq(entryJobs.kind, 'transcript')))
    ).map(({ generation }) => generation);

  it('is started once, if two runs of the video ask for it', async () => {
    const { id } = await makeEntry(userId, WORDS);
    const ask = async (tx: Transaction) => {
      await tx.select().from(entries).where(eq(entries.id, id)).for('no key update');
      await startJobs(tx, 'transcript', [{ entryId: id, userId }]);
    };
    const asked = await duringTransaction(ask, () => requestTranscript({ entryId: id, userId }));
    expect(asked).toEqual(fulfilled());
    expect(await generations(id)).toEqual([1]);
  });

  it('isn’t started for an entry whose words are being saved', async () => {
    const { id } = await makeEntry(userId, WORDS);
    const asked = await duringTransaction(
      (tx) => tx.update(entries).set({ transcriptStatus: 'completed' }).where(eq(entries.id, id)),
      () => requestTranscript({ entryId: id, userId }),
    );
    expect(asked).toEqual(fulfilled());
    expect(await generations(id)).toEqual([]);
  });
});

describe('previews', () => {
  it('aren’t saved for an entry that’s being deleted forever', async () => {
    const { id } = await makeEntry(userId);
    const saved = await duringTransaction(
      (tx) => tx.delete(entries).where(eq(entries.id, id)),
      () => savePreviews(userId, id, { waveform: 'AAAA' }),
    );
    expect(saved).toEqual(fulfilled(false));
  });

  it('stay when their job is started again', async () => {
    const id = await started(userId, 'previews');
    await savePreviews(userId, id, { waveform: 'AAAA' });
    const before = await previewsRow(id);
    await startJobs(db(), 'previews', [{ entryId: id, userId }]);
    expect(await previewsRow(id)).toEqual(before);
  });

  it('that another attempt saves stay when one ends without any', async () => {
    const id = await started(userId, 'previews');
    await lose();
    const ended = await duringTransaction(
      (tx) => tx.update(previews).set({ waveform: 'AAAA' }).where(eq(previews.entryId, id)),
      () => endPreviews({ entryId: id, userId }),
    );
    expect(ended).toEqual(fulfilled());
    expect(await previewsRow(id)).toMatchObject({ waveform: 'AAAA' });
  });
});
