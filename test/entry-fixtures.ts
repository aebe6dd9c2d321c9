import { v7 as uuidv7 } from 'uuid';
import { db } from '@/db/client';
import { entryTags, notes, tags } from '@/db/schema/entries';
import { type StoredWord, transcripts } from '@/db/schema/transcripts';
import { search } from '@/lib/journal/search/service';
import { makeEntry } from './factories';

/** One word a second, from 0. */
const toWords = (text: string): StoredWord[] =>
  text.split(' ').map((word, second) => [word, second, second + 0.5]);

/** Gives an entry a transcript. */
export const addTranscript = (entryId: string, text: string, revision = 0) =>
  db()
    .insert(transcripts)
    .values({ entryId, revision, words: toWords(text) });

/** A tag of this name. @returns its id */
export async function makeTag(userId: string, name: string) {
  const id = uuidv7();
  await db().insert(tags).values({ id, userId, name });
  return id;
}

/** Writes a note to an entry. */
export const addNote = (entryId: string, text: string) =>
  db().insert(notes).values({ id: uuidv7(), entryId, text });

type EntryContent = {
  title?: string;
  words?: string;
  tag?: string;
  note?: string;
  date?: string;
  language?: string;
};

/** An entry with what is said of it. @returns its id */
export async function makeEntryWithContent(
  userId: string,
  { title = 'A day', words, tag, note: text, date, language }: EntryContent,
) {
  const entry = await makeEntry(userId, {
    title,
    ...(date ? { date } : {}),
    ...(language ? { language } : {}),
  });
  if (words) await addTranscript(entry.id, words);
  if (tag)
    await db()
      .insert(entryTags)
      .values({ entryId: entry.id, tagId: await makeTag(userId, tag) });
  if (text) await addNote(entry.id, text);
  return entry.id;
}

/** Searches as the endpoint does, and returns the first page. */
export const searchEntries = async (
  userId: string,
  query: string,
  more: Partial<Parameters<typeof search>[1]> = {},
) => (await search(userId, { query, categories: [], limit: 50, ...more })).results;

/** The ids of what is found, best first. */
export const searchEntryIds = async (...query: Parameters<typeof searchEntries>) =>
  (await searchEntries(...query)).map((result) => result.id);
