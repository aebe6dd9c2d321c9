import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { accountDeletions } from '@/db/schema/deletions';
import { entries } from '@/db/schema/entries';
import { exports } from '@/db/schema/exports';
import { entryJobs } from '@/db/schema/jobs';
import { outbox } from '@/db/schema/outbox';
import { uploads } from '@/db/schema/uploads';
import { abortMultipart } from '@/lib/clients/multipart';
import { listUploads, type UnfinishedUpload } from '@/lib/clients/storage-listing';
import { MAIL_SECONDS } from '@/lib/messaging/outbox/encrypted-mail';
import {
  findGoneJobs,
  IS_PENDING,
  IS_UNFINISHED,
  LACKS_PREVIEWS,
  resumeGoneJobs,
} from '@/lib/video/processing/watchdog';
import { reconcileAbandonedUploads } from '@/lib/video/uploads/abandoned';
import type { FindingKind } from './finding-kinds';
import { attemptRepair, type Comparison } from './findings';

const DAY_MS = 24 * 3600 * 1000;
/** How many rows of a kind are handled in one run. With that many, something counts as wrong until the next run. */
const MOST = 10_000;

/** Returns those of storage's uploads that rows refer to. */
async function claimedUploads(found: readonly UnfinishedUpload[]): Promise<Set<string | null>> {
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const [ofEntries, ofExports] = await Promise.all([
    db().select({ id: uploads.multipartId }).from(uploads).where(anyOf(uploads.multipartId, ids)),
    db().select({ id: exports.multipartId }).from(exports).where(anyOf(exports.multipartId, ids)),
  ]);
  return new Set([...ofEntries, ...ofExports].map(({ id }) => id));
}

/** Finds multipart uploads that no row refers to, whose parts take up space that nobody sees. */
export async function compareUnfinishedUploads({
  findings,
  mayDelete,
  only,
  now,
}: Comparison): Promise<void> {
  for (const root of ['entries', 'exports']) {
    for await (const page of listUploads(`${root}/${only}`)) {
      const old = page.filter(({ startedAt }) => startedAt.getTime() < now - DAY_MS);
      const claimed = await claimedUploads(old);
      for (const { key, id } of old) {
        if (claimed.has(id)) continue;
        const isRepaired = await attemptRepair(mayDelete, () => abortMultipart(key, id));
        findings.add('upload-unowned', key, { isRepaired });
      }
    }
  }
}

/** Ids of rows that something is wrong with, and what puts all of them right. */
interface Check {
  kind: FindingKind;
  /** Selects their ids as `id`, or returns them. */
  find: SQL | (() => Promise<string[]>);
  repair?: (ids: string[]) => Promise<unknown>;
  /** Finds those that a repair has left, where `find` wouldn't. */
  findLeft?: SQL;
}

async function findIds(find: Check['find']): Promise<string[]> {
  if (typeof find === 'function') return find();
  const rows = await db().execute<{ id: string }>(sql`${find} limit ${MOST}`);
  return rows.map(({ id }) => id);
}

const jobId = sql`${entryJobs.entryId} || ' (' || ${entryJobs.kind} || ')' as id`;
const isHeldLong = sql`${entryJobs.holder} is not null and ${entryJobs.beatAt} < now() - interval '1 hour'`;
/** In the trash, it's normal: no next attempt gives back what a killed one held. A job that's started again takes it over. */
const isOver = sql`exists (select from ${entries} where ${entries.id} = ${entryJobs.entryId}
  and ${entries.trashedAt} is null and not ${IS_PENDING})`;
/** Emails aren't JSON, but encrypted. */
const event = sql`case when ${outbox.kind} = 'event' then ${outbox.payload}::jsonb end`;
/** What deletes an entry's files is sent after the entry has gone. */
const ofGoneEntry = sql`(not ${outbox.dead} and ${outbox.createdAt} < now() - interval '10 minutes' and coalesce(${event} ->> 'name' <> 'entry/purged'
  and ${event} -> 'data' ->> 'entryId' is not null
  and not exists (select from ${entries} where ${entries.id} = (${event} -> 'data' ->> 'entryId')::uuid), false))`;

/** Nothing decrypts these emails anymore. Until then, a rejected one may be the only copy of a deletion receipt. */
const isExpired = sql`(${outbox.kind} = 'mail' and ${outbox.createdAt} < now() - ${MAIL_SECONDS} * interval '1 second')`;

const deleteRows = (ids: string[]) => db().delete(outbox).where(anyOf(outbox.id, ids));

const CHECKS: Check[] = [
  {
    kind: 'upload-silent',
    find: sql`select ${entries.id} as id from ${entries}
        left join ${uploads} on ${uploads.entryId} = ${entries.id}
        where ${and(eq(entries.videoStatus, 'uploading'), isNull(entries.trashedAt))}
          and coalesce(${uploads.activeAt}, ${entries.createdAt}) < now() - interval '25 hours'`,
    repair: reconcileAbandonedUploads,
  },
  {
    kind: 'job-gone',
    find: async () => (await findGoneJobs(60, MOST)).map(({ entryId, kind }) => `${entryId} (${kind})`),
    repair: resumeGoneJobs,
    // Those that have just been started keep the watchdog from finding any others.
    findLeft: sql`select ${jobId} from ${entryJobs} join ${entries} on ${entries.id} = ${entryJobs.entryId}
        where ((${IS_UNFINISHED} and ${IS_PENDING}) or ${LACKS_PREVIEWS}) and ${entryJobs.beatAt} < now() - interval '1 hour'
        order by ${entryJobs.beatAt}`,
  },
  {
    kind: 'job-missing',
    find: sql`select ${entries.id} as id from ${entries} where ${IS_UNFINISHED}
        and ${or(sql`${entries.videoStatus} in ('uploaded', 'processing')`, eq(entries.videoStatus, 'ready'))}
        and not exists (select from ${entryJobs} where ${entryJobs.entryId} = ${entries.id}
          and ${entryJobs.kind} = case when ${entries.videoStatus} = 'ready' then 'transcript' else 'video' end::job_kind)`,
    repair: resumeGoneJobs,
  },
  {
    kind: 'job-ended',
    find: sql`select ${jobId} from ${entryJobs} where ${isHeldLong} and ${isOver}`,
    repair: () =>
      db().update(entryJobs).set({ holder: null, successor: null }).where(sql`${isHeldLong} and ${isOver}`),
  },
  {
    kind: 'event-useless',
    find: sql`select ${outbox.id} as id from ${outbox} where ${ofGoneEntry}`,
    repair: deleteRows,
  },
  {
    kind: 'outbox-dead',
    find: sql`select ${outbox.id} as id from ${outbox} where ${outbox.dead} and not ${isExpired}`,
  },
  {
    kind: 'outbox-expired',
    find: sql`select ${outbox.id} as id from ${outbox} where ${outbox.dead} and ${isExpired}`,
    repair: deleteRows,
  },
  {
    kind: 'outbox-late',
    find: sql`select ${outbox.id} as id from ${outbox}
        where not ${outbox.dead} and ${outbox.createdAt} < now() - interval '1 hour'
          and ${outbox.dueAt} < now() - interval '10 minutes' and not ${ofGoneEntry}`,
  },
  {
    kind: 'erasure-late',
    find: sql`select ${accountDeletions.userId} as id from ${accountDeletions}
        where ${accountDeletions.startedAt} < now() - interval '1 day'`,
  },
];

/** Finds work of the whole site that nobody finishes anymore: uploads, jobs, events, emails, and erasures. */
export async function compareUnfinishedWork({ findings, mayRepair }: Comparison): Promise<void> {
  for (const { kind, find, repair, findLeft = find } of CHECKS) {
    const ids = await findIds(find);
    if (ids.length === 0) continue;
    let left = ids;
    if (repair && mayRepair) {
      await repair(ids).catch(() => undefined);
      left = await findIds(findLeft);
    }
    const isLeft = new Set(left);
    for (const id of ids) findings.add(kind, id, { isRepaired: !isLeft.has(id) });
    if (ids.length >= MOST) findings.expectMore(kind);
  }
}
