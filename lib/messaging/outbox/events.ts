import { eventType } from 'inngest';
import { z } from 'zod';

/** Events carry ids only; what they are about is read afresh when a job runs. */
const entryEventData = z.object({ entryId: z.string(), userId: z.string() });

/** Starts a run. Runs of an earlier generation stop; events from before there were any count as generation 0. */
const jobStart = entryEventData.extend({ generation: z.int().optional() });

/** The object of an entry is in storage, whole. */
export const entryUploaded = eventType('entry/uploaded', { schema: jobStart });

/** The final video of an entry can be played: what helps to find a moment in it can be made. */
export const videoReady = eventType('entry/video.ready', { schema: jobStart });

/** The words of an entry are wanted: once its file is known to have sound, and when a person asks again. */
export const transcriptRequested = eventType('entry/transcript.wanted', { schema: jobStart });

/** A person has corrected the transcript of an entry: this is the revision's number. */
export const transcriptCorrected = eventType('entry/transcript.corrected', {
  schema: entryEventData.extend({ revision: z.int() }),
});

/** The entry was moved to the trash, so its jobs stop. */
export const entryRemoved = eventType('entry/removed', { schema: entryEventData });

/** The entry was permanently deleted, so its objects are deleted too. */
export const entryPurged = eventType('entry/purged', { schema: entryEventData });

const accountEventData = z.object({ userId: z.string() });

/** An account is being erased, so all of its jobs stop. */
export const accountClosed = eventType('account/closed', { schema: accountEventData });

/** An account was erased, so whatever still arrives in storage is deleted too. */
export const accountErased = eventType('account/erased', { schema: accountEventData });

const exportEventData = z.object({ exportId: z.string(), userId: z.string() });

/** Someone wants an archive of their journal. */
export const exportRequested = eventType('export/requested', {
  schema: exportEventData.extend({ generation: z.int() }),
});

const exportObjects = exportEventData.extend({ layoutId: z.string().nullable() });

/** An archive was deleted, so its objects are deleted too. */
export const exportDeleted = eventType('export/deleted', { schema: exportObjects });

/** An archive can't be finished, so its objects are deleted, while its row tells its owner. */
export const exportFailed = eventType('export/failed', { schema: exportObjects });

/** A health check wants to know whether events start runs. `settings` is a hash of those that it was sent with. */
export const healthPinged = eventType('health/ping', {
  schema: z.object({ settings: z.string().optional() }),
});

/** The events that a commit may leave to be sent. */
type QueuedType =
  | typeof entryUploaded
  | typeof videoReady
  | typeof transcriptRequested
  | typeof transcriptCorrected
  | typeof entryRemoved
  | typeof entryPurged
  | typeof accountClosed
  | typeof accountErased
  | typeof exportRequested
  | typeof exportDeleted
  | typeof exportFailed;
type EventOf<Type extends QueuedType> = Type extends QueuedType
  ? { name: Type['name']; data: z.infer<Type['schema']> }
  : never;

/** An event that a commit may leave to be sent. */
export type OutboxEvent = EventOf<QueuedType>;
