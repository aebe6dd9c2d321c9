import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type postgres from 'postgres';
import { listObjects, type StorageAccess, storageClient } from '@/e2e/storage';
import { ffmpegProcesses } from '@/test/ffmpeg-processes';

/** An entry as the database has it. */
export interface EntryRow {
  id: string;
  userId: string;
  title: string;
  bytes: number;
  videoStatus: string;
  transcriptStatus: string;
  trashed: boolean;
  /** Whether its upload goes once the address that it was sent to has expired. */
  storedOnce: boolean;
  /** The names of the objects that the row refers to. */
  objects: string[];
}

/** Returns every entry of the site. */
export async function readEntries(sql: postgres.Sql): Promise<EntryRow[]> {
  const rows = await sql<(Omit<EntryRow, 'objects' | 'bytes'> & { bytes: string; keys: string[] })[]>`
    select id, user_id as "userId", title, bytes, video_status as "videoStatus",
      transcript_status as "transcriptStatus", trashed_at is not null as trashed,
      stored_once as "storedOnce",
      array_remove(array[video_key, thumbnail_key,
        case when previews.storyboard is not null then 'storyboard.jpg' end,
        case when small_version is not null then 'small.mp4' end], null) as keys
    from entries left join previews on previews.entry_id = entries.id`;
  return rows.map(({ keys, bytes, ...row }) => ({
    ...row,
    bytes: Number(bytes),
    objects: keys.flatMap((key) => key.split('/').pop() ?? []),
  }));
}

/** Returns in sentences what the site still has to do. */
export async function findUnfinished(sql: postgres.Sql): Promise<string[]> {
  const events = await sql`select id, kind, attempts, dead from outbox where dead or due_at <= now()`;
  // In the trash, a job whose process was killed has no next attempt that could give its lease back.
  const held = await sql`
    select entry_id, kind, holder from entry_jobs join entries on entries.id = entry_id
    where holder is not null and trashed_at is null`;
  const entries = await sql`
    select id, title, video_status, transcript_status from entries where trashed_at is null
      and (video_status not in ('ready', 'failed') or transcript_status = 'processing')`;
  const previews = await sql`
    select entries.id, title from entries left join previews on previews.entry_id = entries.id
    where video_status = 'ready' and trashed_at is null
      and (previews.storyboard is null or previews.waveform is null)`;
  return [
    ...events.map(
      ({ id, kind, attempts, dead }) =>
        `outbox: ${kind} ${id}, ${attempts} attempts${dead ? ', given up' : ''}`,
    ),
    ...held.map(({ entry_id: id, kind, holder }) => `job: ${kind} of ${id} is held by ${holder}`),
    ...entries.map(
      (row) => `entry: “${row.title}” (${row.id}) is ${row.video_status}, ${row.transcript_status}`,
    ),
    ...previews.map(({ id, title }) => `previews: “${title}” (${id}) lacks some`),
  ];
}

/** Returns the multipart uploads that storage still has, by key. */
export async function listMultipartUploads(site: { storage: StorageAccess }): Promise<string[]> {
  const { Uploads = [] } = await storageClient(site).send(
    new ListMultipartUploadsCommand({ Bucket: site.storage.bucket }),
  );
  return Uploads.flatMap(({ Key }) => Key ?? []);
}

/** Returns what's in storage and shouldn't be, and what should be and isn't, as sentences. */
export async function compareStorage(
  rows: readonly EntryRow[],
  site: { storage: StorageAccess },
): Promise<string[]> {
  const stored = new Map<string, Set<string>>();
  for (const key of await listObjects(site)) {
    const [folder, name] = [key.slice(0, key.lastIndexOf('/')), key.slice(key.lastIndexOf('/') + 1)];
    stored.set(folder, (stored.get(folder) ?? new Set()).add(name));
  }
  const problems: string[] = [];
  for (const row of rows) {
    const folder = `entries/${row.userId}/${row.id}`;
    const names = stored.get(folder) ?? new Set();
    stored.delete(folder);
    const wanted = new Set([...(row.storedOnce ? [] : ['source']), ...row.objects]);
    const missing = [...wanted].filter((name) => !names.has(name));
    // The first copy stays for two hours for those who watch it. Jobs of what's in the trash were cut off.
    const mayStay = (name: string) => name.startsWith('remux.') || (name === 'source' && row.storedOnce);
    const extra = [...names].filter((name) => !wanted.has(name) && !mayStay(name) && !row.trashed);
    if (missing.length > 0) problems.push(`“${row.title}” (${row.id}) lacks ${missing.join(', ')}`);
    if (extra.length > 0) problems.push(`“${row.title}” (${row.id}) also has ${extra.join(', ')}`);
  }
  for (const [folder, names] of stored)
    problems.push(`${folder} belongs to no entry: ${[...names].join(', ')}`);
  return problems;
}

/** Returns the ffmpeg processes that still work on entries, as sentences. */
export async function findProcesses(rows: readonly EntryRow[]): Promise<string[]> {
  const found = await ffmpegProcesses(...rows.map(({ id }) => id));
  return found.map((pid) => `process ${pid} still works on an entry`);
}
