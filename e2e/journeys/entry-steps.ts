import type { Locator, Page } from '@playwright/test';
import type postgres from 'postgres';

/** What `giveWords` puts in an entry's mouth. */
export const WORDS: [string, number, number][] = [
  ['I', 0.2, 0.4],
  ['called', 0.5, 0.8],
  ['Dan', 0.9, 1.2],
  ['today.', 1.3, 1.6],
  ['Dan', 1.8, 2],
  ['laughed.', 2.1, 2.5],
];

/** Gives an entry a transcript, as a browser that heard the words would. */
export async function insertTranscript(sql: postgres.Sql, id: string, words = WORDS): Promise<void> {
  await sql`insert into transcripts (entry_id, revision, words, draft)
    values (${id}, 0, ${sql.json(words)}, true)`;
  await sql`update entries set transcript_status = 'completed', language = 'en' where id = ${id}`;
}

/** How often the page calls the API by POST at a path that ends so. */
export function countPosts(page: Page, end: string): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith(end)) count += 1;
  });
  return () => count;
}

/** The notice with this message. */
export const toast = (page: Page, message: string): Locator =>
  page.getByRole('alert').filter({ hasText: message });
