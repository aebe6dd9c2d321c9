import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { anyOf } from '@/db/any-of';
import { db } from '@/db/client';
import { exports } from '@/db/schema/exports';
import type { StoredObject } from '@/lib/clients/storage-listing';
import { deleteObject } from '@/lib/clients/storage-objects';
import { entryPrefix } from '@/lib/journal/entries/keys';
import { type AccountRange, inRange } from './account-ranges';
import { compareEntry, type EntryIssue, isOld } from './entry-issues';
import { repairEntry } from './entry-repairs';
import { type EntryRow, entryRowsIn, entryRowsOf } from './entry-rows';
import { attemptRepair, type Comparison } from './findings';
import { nameOf, type StoredGroup, storedGroups } from './stored-groups';

/** How many suspects are looked at again together. */
const BATCH = 500;

const VIDEO = /^(source|(video|small|remux)\..+)$/;

/** What a process that was killed has left of a health check. */
const isProbe = (key: string) => nameOf(key).startsWith('daylight-probe-');

type Owner = NonNullable<StoredGroup['ref']>;

/** An original or a copy of it, which may be the only one that's left. */
const isVideo = ({ key }: StoredObject) => key.startsWith('entries/') && VIDEO.test(nameOf(key));

/**
 * Counts objects that belong to no row, and deletes them if that's wanted. Those of the last day are left alone. After a
 * restored database, videos without a row are nowhere else, so they're a kind of their own.
 */
async function reportUnowned(comparison: Comparison, name: string, objects: StoredObject[]): Promise<void> {
  const { findings, mayDelete, mayDeleteVideos, now } = comparison;
  if (!objects.every((object) => isOld(object, now))) return;
  comparison.folders.unowned += 1;
  const hasVideo = objects.some(isVideo);
  const isRepaired = await attemptRepair(hasVideo ? mayDeleteVideos : mayDelete, async () => {
    for (const { key } of objects) await deleteObject(key);
  });
  const bytes = objects.reduce((sum, { size }) => sum + size, 0);
  findings.add(hasVideo ? 'video-unowned' : 'object-unowned', name, { isRepaired, bytes });
}

async function reportStray(comparison: Comparison, object: StoredObject): Promise<void> {
  if (isProbe(object.key)) await reportUnowned(comparison, object.key, [object]);
  else comparison.findings.add('object-unknown', JSON.stringify(object.key));
}

/** Reports objects without a row, unless the row has been added since. */
async function reportOrphans(
  comparison: Comparison,
  orphans: { ref: Owner; objects: StoredObject[] }[],
  findRows: (ids: string[]) => Promise<{ id: string; userId: string }[]>,
): Promise<void> {
  const rows = await findRows(orphans.map(({ ref }) => ref.id));
  const owned = new Set(rows.map(({ userId, id }) => `${userId}/${id}`));
  for (const { ref, objects } of orphans) {
    if (owned.has(`${ref.userId}/${ref.id}`)) continue;
    await reportUnowned(comparison, objects[0]?.key.replace(/[^/]+$/, '') ?? ref.id, objects);
  }
}

interface Suspect {
  row: EntryRow;
  issues: EntryIssue[];
}

/** Accounts whose use isn't what storage has of them, and whether that has been repaired. */
type WrongUse = Map<string, boolean>;

/** Reports what's wrong with entries, unless they've changed since. */
async function reportEntries(
  { findings, mayRepair }: Comparison,
  suspects: Suspect[],
  accounts: WrongUse,
): Promise<void> {
  const rows = await entryRowsOf(suspects.map(({ row }) => row.id));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { row, issues } of suspects) {
    if (!isDeepStrictEqual(byId.get(row.id), row)) continue;
    for (const issue of issues) {
      const isRepaired = await attemptRepair(mayRepair, () => repairEntry(row, issue));
      if ('object' in issue)
        findings.add(issue.kind, issue.object.key, { isRepaired, bytes: issue.object.size });
      else findings.add(issue.kind, entryPrefix(row.userId, row.id), { isRepaired });
      const countsWrong = issue.kind === 'size-wrong' || issue.kind === 'original-changed';
      if (countsWrong && !row.isTrashed) {
        accounts.set(row.userId, isRepaired && (accounts.get(row.userId) ?? true));
      }
    }
  }
}

/**
 * Compares the entries of a range of accounts with storage. The rows are read first. So what a row refers to is in the
 * listing, unless the row has changed since, which is looked at again.
 */
export async function compareEntryFiles(comparison: Comparison, range: AccountRange): Promise<void> {
  const rows = new Map((await entryRowsIn(range)).map((row) => [`${row.userId}/${row.id}`, row]));
  const suspects: Suspect[] = [];
  const accounts: WrongUse = new Map();
  const orphans: { ref: Owner; objects: StoredObject[] }[] = [];
  const compare = async (row: EntryRow, objects: StoredObject[]) => {
    const issues = compareEntry(row, objects, comparison.now);
    if (issues.length > 0) suspects.push({ row, issues });
    if (suspects.length >= BATCH) await reportEntries(comparison, suspects.splice(0), accounts);
  };
  for await (const { ref, objects } of storedGroups('entries', range)) {
    const key = ref && `${ref.userId}/${ref.id}`;
    const row = key && rows.get(key);
    if (row) {
      rows.delete(key);
      comparison.folders.owned += 1;
      await compare(row, objects);
    } else if (ref) {
      orphans.push({ ref, objects });
      if (orphans.length >= BATCH) await reportOrphans(comparison, orphans.splice(0), entryRowsOf);
    } else for (const object of objects) await reportStray(comparison, object);
  }
  for (const row of rows.values()) await compare(row, []);
  await reportEntries(comparison, suspects, accounts);
  await reportOrphans(comparison, orphans, entryRowsOf);
  for (const [userId, isRepaired] of accounts) comparison.findings.add('use-wrong', userId, { isRepaired });
}

const exportColumns = {
  id: exports.id,
  userId: exports.userId,
  status: exports.status,
  bytes: exports.bytes,
};
type ExportRow = Pick<typeof exports.$inferSelect, keyof typeof exportColumns>;

const exportRowsOf = async (ids: string[]): Promise<ExportRow[]> =>
  ids.length > 0 ? db().select(exportColumns).from(exports).where(anyOf(exports.id, ids)) : [];

const EXPORT_LOST = 'This archive’s file is gone. Prepare it again.';

async function reportExport({ findings, mayRepair }: Comparison, row: ExportRow): Promise<void> {
  const isSame = sql`${exports.id} = ${row.id} and ${exports.status} = 'ready'`;
  if ((await db().$count(exports, isSame)) === 0) return;
  const isRepaired = await attemptRepair(mayRepair, () =>
    db().update(exports).set({ status: 'failed', error: EXPORT_LOST }).where(isSame),
  );
  findings.add('export-lost', row.id, { isRepaired });
}

/** Compares the archives of a range of accounts with storage, as {@link compareEntryFiles} does. */
export async function compareExportFiles(comparison: Comparison, range: AccountRange): Promise<void> {
  const found = await db().select(exportColumns).from(exports).where(inRange(exports.userId, range));
  const rows = new Map(found.map((row) => [row.id, row]));
  for await (const { ref, objects } of storedGroups('exports', range)) {
    const row = ref ? rows.get(ref.id) : undefined;
    if (row && row.userId === ref?.userId) {
      rows.delete(row.id);
      comparison.folders.owned += 1;
      const isWhole = objects.some(({ size }) => row.bytes === null || size === row.bytes);
      if (row.status === 'ready' && !isWhole) await reportExport(comparison, row);
    } else if (ref) await reportOrphans(comparison, [{ ref, objects }], exportRowsOf);
    else for (const object of objects) await reportStray(comparison, object);
  }
  for (const row of rows.values()) if (row.status === 'ready') await reportExport(comparison, row);
}
