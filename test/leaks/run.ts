import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { deliverOutbox } from '@/lib/messaging/outbox/delivery';
import { enqueueEvent } from '@/lib/messaging/outbox/service';
import { makeEntryWithCanaries } from './entry';
import type { FaultInjector } from './faults';
import type { LeakFixture } from './fixture';
import { transcriptResponse } from './responses';

/** What an entry says about its jobs once they've ended. */
export interface Outcome {
  videoStatus?: string;
  videoError?: string | null;
  transcriptStatus?: string;
  transcriptError?: string | null;
}

/** Runs an event's jobs for a new entry while the given parts fail. Throws if the jobs never met one of the faults. */
export async function runWithFaults(
  stage: LeakFixture,
  event: 'entry/uploaded' | 'entry/transcript.wanted',
  source: string,
  broken: FaultInjector[],
): Promise<Outcome> {
  const values = event === 'entry/uploaded' ? {} : { videoStatus: 'ready' as const, durationMs: 4000 };
  const data = await makeEntryWithCanaries(source, values);
  stage.faults.speech = transcriptResponse;
  const mend: (() => Promise<number>)[] = [];
  for (const fault of broken) mend.push(await fault());
  try {
    await enqueueEvent(db(), uuidv7(), { name: event, data });
    await deliverOutbox();
    await stage.runsEnded(data.entryId);
  } finally {
    const met = [];
    for (const end of mend) met.push(await end());
    expect(met.filter((count) => count > 0).length, 'how many faults were met').toBe(broken.length);
  }
  const [row] = await db()
    .select({
      videoStatus: entries.videoStatus,
      videoError: entries.videoError,
      transcriptStatus: entries.transcriptStatus,
      transcriptError: entries.transcriptError,
    })
    .from(entries)
    .where(eq(entries.id, data.entryId));
  return row as Outcome;
}
