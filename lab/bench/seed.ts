import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries, entryTags, notes, tags } from '@/db/schema/entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { createSession } from '@/lib/account/sessions/create-session';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { entryKey } from '@/lib/journal/entries/keys';

export interface Account {
  userId: string;
  /** A new session's access part, as the Cookie header has it; good for 15 minutes. */
  cookie(): Promise<string>;
}

/** How many entries the seeded journal has. */
const SEEDED_ENTRIES = 200;
const SPOKEN_WORDS = 300;

/** What an entry has rows in, and what a save, a move to the trash, or a purge of it touches. */
export const ENTRY_TABLES = [
  'entries',
  'transcripts',
  'entry_tags',
  'notes',
  'entry_search',
  'search_words',
  'journal_months',
];

/** A new session's access part, as the Cookie header has it; good for 15 minutes. */
export async function sessionCookie(userId: string, verified: boolean): Promise<string> {
  const { access } = await db().transaction((tx) =>
    createSession(tx, { id: userId, verified }, { address: '', userAgent: 'bench' }, 'password'),
  );
  return `${cookieNames().access}=${access}`;
}

/** An account without entries. Nobody knows its password: sessions are made directly. */
export async function seedAccount({ verified = true } = {}): Promise<Account> {
  const userId = uuidv7();
  await db()
    .insert(users)
    .values({
      id: userId,
      email: `${userId}@bench.invalid`,
      passwordHash: '',
      firstName: 'Ada',
      lastName: 'Bench',
      gender: 'prefer not to say',
      dateOfBirth: '1990-01-01',
      verifiedAt: verified ? new Date() : null,
    });
  return { userId, cookie: () => sessionCookie(userId, verified) };
}

/** `count` words at an even pace over `seconds`, with a full stop after every twelfth. */
export function spokenWords(count: number, seconds: number): StoredWord[] {
  const pace = seconds / count;
  const at = (index: number) => Math.round(index * pace * 1000) / 1000;
  return Array.from({ length: count }, (_, index) => [
    `word${index}${index % 12 === 11 ? '.' : ''}`,
    at(index),
    at(index + 0.9),
  ]);
}

/** Adds a finished entry. @returns its id */
export async function seedEntry(
  userId: string,
  entry: { title: string; date: string; seconds: number; words: StoredWord[] },
): Promise<string> {
  const id = uuidv7();
  await db()
    .insert(entries)
    .values({
      id,
      userId,
      title: entry.title,
      date: entry.date,
      fileName: 'day.mp4',
      contentType: 'video/mp4',
      bytes: 20_000_000,
      durationMs: entry.seconds * 1000,
      width: 1280,
      height: 720,
      videoStatus: 'ready',
      videoKey: entryKey(userId, id, 'video.mp4'),
      thumbnailKey: entryKey(userId, id, 'thumbnail.jpg'),
      transcriptStatus: 'completed',
      language: 'en',
    });
  await db().insert(transcripts).values({ entryId: id, revision: 0, words: entry.words });
  return id;
}

/**
 * An account with a journal: 200 entries, or as many as asked for, of two minutes with 300 words, two tags and a note each.
 * @returns beside the account, the id of its newest entry
 */
export async function seedJournal(days = SEEDED_ENTRIES): Promise<Account & { entryId: string }> {
  const account = await seedAccount();
  const { userId } = account;
  const kinds = ['Family', 'Work', 'Running'].map((name, index) => ({
    id: uuidv7(),
    userId,
    name,
    color: ['#2f6f4f', '#aa3355', '#3355aa'][index] ?? '#ffffff',
  }));
  await db().insert(tags).values(kinds);
  const words = spokenWords(SPOKEN_WORDS, 120);
  let entryId = '';
  for (let day = 0; day < days; day += 1) {
    const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
    entryId = await seedEntry(userId, { title: `The day of ${date}`, date, seconds: 120, words });
    const two = kinds.filter((_, index) => index !== day % 3);
    await db()
      .insert(entryTags)
      .values(two.map((tag) => ({ entryId, tagId: tag.id })));
    await db().insert(notes).values({ id: uuidv7(), entryId, text: 'Something to remember of this day.' });
  }
  await db().execute('analyze');
  return { ...account, entryId };
}
