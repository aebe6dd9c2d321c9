import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import { db, type Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { previews } from '@/db/schema/previews';
import { transcripts } from '@/db/schema/transcripts';
import { hashPassword } from '@/lib/account/passwords/passwords';
import { headObject, uploadObject } from '@/lib/clients/storage-objects';
import { saveChecksum } from '@/lib/journal/entries/checksums';
import { entryKey, originalName } from '@/lib/journal/entries/keys';
import { readDate } from '@/lib/journal/entries/shared/calendar';
import { MediaError } from '@/lib/video/media/errors';
import { ffmpegTool } from '@/lib/video/processing/media-tool';
import { readClips, TAGS } from './clips';
import { demoDates } from './demo-dates';
import { type PreparedClip, prepareClip } from './prepared-clip';

interface DemoJournal {
  email: string;
  password: string;
  /** `YYYY-MM-DD`: the newest entry's date. */
  today: string;
  /** How many entries of the last year there are; a few older ones come with them. */
  entries: number;
  /** The ids of the clips that they show; all of them by default. */
  clips?: readonly string[];
}

/** What somebody wrote about some entries, in turn. */
const NOTES = [
  'Ask Dad which edition he has.',
  'Say this part slower next time.',
  'Show Anna the composing stick.',
  'I like how the light was here.',
];
/** Every so many entries have a note. */
const NOTE_EVERY = 4;

/** An entry of the demo, before it's in the database. */
interface DemoEntry {
  id: string;
  prepared: PreparedClip;
  title: string;
  date: string;
  createdAt: Date;
}

const CONTENT_TYPES = {
  source: 'video/mp4',
  'video.mp4': 'video/mp4',
  'thumbnail.jpg': 'image/jpeg',
  'storyboard.jpg': 'image/jpeg',
} as const;

/** Gives each date the next clip that fits its month, with a title that the clip hasn't had yet if there's one left. */
function planEntries(dates: readonly string[], prepared: readonly PreparedClip[]): DemoEntry[] {
  const queue = [...prepared];
  const uses = new Map<PreparedClip, number>();
  return dates.map((date) => {
    const fits = ({ clip: { months } }: PreparedClip) => months?.includes(readDate(date).month) ?? true;
    const [one] = queue.splice(Math.max(0, queue.findIndex(fits)), 1);
    if (!one) throw new Error('There are no clips.');
    queue.push(one);
    const used = uses.get(one) ?? 0;
    uses.set(one, used + 1);
    const { titles } = one.clip;
    const title = titles[used % titles.length] ?? titles[0];
    const createdAt = new Date(Math.min(Date.parse(`${date}T19:30:00Z`), Date.now()));
    return { id: uuidv7({ msecs: createdAt.getTime() }), prepared: one, title, date, createdAt };
  });
}

/** Uploads an entry's files to where the jobs put them. @returns the original's ETag */
async function uploadFiles(userId: string, { id, prepared }: DemoEntry): Promise<string | null> {
  for (const name of ['source', 'video.mp4', 'thumbnail.jpg', 'storyboard.jpg'] as const) {
    const file = prepared.files[name];
    if (file) await uploadObject(file, entryKey(userId, id, name), CONTENT_TYPES[name]);
  }
  return (await headObject(entryKey(userId, id, originalName(prepared))))?.etag ?? null;
}

/** Inserts an entry as the jobs leave it. */
async function insertEntry(
  tx: Transaction,
  userId: string,
  { id, prepared, title, date, createdAt, sourceEtag }: DemoEntry & { sourceEtag: string | null },
): Promise<void> {
  const { clip, video, storedOnce, checksums, storyboard, waveform } = prepared;
  await tx.insert(entries).values({
    ...{ id, userId, title, date, createdAt, sourceEtag, storedOnce },
    ...video,
    fileName: `${clip.id}.mp4`,
    contentType: 'video/mp4',
    bytes: checksums.source.bytes,
    videoStatus: 'ready',
    videoKey: entryKey(userId, id, 'video.mp4'),
    thumbnailKey: entryKey(userId, id, 'thumbnail.jpg'),
    transcriptStatus: 'completed',
    language: 'en',
  });
  for (const name of ['source', 'video.mp4'] as const) {
    await saveChecksum(tx, id, name, { ...checksums[name], playable: true });
  }
  await tx
    .insert(transcripts)
    .values({ entryId: id, revision: 0, words: clip.words, engine: 'sample', createdAt });
  await tx.insert(previews).values({ entryId: id, storyboard, waveform });
}

/** Inserts the account with its tags, entries and notes. */
async function insertJournal(
  account: { id: string; email: string; passwordHash: string },
  made: (DemoEntry & { sourceEtag: string | null })[],
): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.insert(users).values({
      ...account,
      ...{ firstName: 'Robin', lastName: 'Sample', gender: 'prefer not to say', dateOfBirth: '1990-01-01' },
      verifiedAt: new Date(),
      grantedPlan: 'Standard',
    });
    const known = Object.entries(TAGS).map(([name, color]) => ({
      ...{ id: uuidv7(), userId: account.id, name, color },
    }));
    await tx.insert(tags).values(known);
    for (const [index, entry] of made.entries()) {
      await insertEntry(tx, account.id, entry);
      const { tags: names, words } = entry.prepared.clip;
      const own = known.filter(({ name }) => (names as string[]).includes(name));
      await tx.insert(entryTags).values(own.map((tag) => ({ entryId: entry.id, tagId: tag.id })));
      if (index % NOTE_EVERY !== 0) continue;
      const nth = index / NOTE_EVERY;
      const moment = words[Math.floor(words.length / 2)]?.[1] ?? 0;
      await tx.insert(notes).values({
        id: uuidv7(),
        entryId: entry.id,
        text: NOTES[nth % NOTES.length] ?? '',
        momentMs: nth % 2 === 0 ? Math.round(moment * 1000) : null,
        createdAt: entry.createdAt,
      });
    }
  });
}

/**
 * Makes a journal of entries that play: an account, verified and on the Standard plan, with videos, thumbnails,
 * storyboards, words, tags, and notes. All of it is there or nothing is.
 * @returns false if there's an account with this email address already
 * @throws MediaError `no_ffmpeg`
 */
export async function makeDemoJournal(demo: DemoJournal): Promise<boolean> {
  const [known] = await db().select({ id: users.id }).from(users).where(eq(users.email, demo.email));
  if (known) return false;
  const tool = await ffmpegTool();
  if (tool.kind !== 'native') throw new MediaError('no_ffmpeg', 'The demo takes an installed ffmpeg.');
  const folder = await mkdtemp(join(tmpdir(), 'daylight-demo-'));
  try {
    const limit = pLimit(availableParallelism());
    const dates = demoDates(demo.today, demo.entries);
    const all = await readClips();
    const clips = all.filter(({ id }) => demo.clips?.includes(id) ?? true).slice(0, dates.length);
    const prepared = await limit.map(clips, (clip) => prepareClip(tool, clip, folder));
    const userId = uuidv7();
    const made = await limit.map(planEntries(dates, prepared), async (entry) => ({
      ...entry,
      sourceEtag: await uploadFiles(userId, entry),
    }));
    const passwordHash = await hashPassword(demo.password);
    await insertJournal({ id: userId, email: demo.email, passwordHash }, made);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
