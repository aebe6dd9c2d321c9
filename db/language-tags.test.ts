import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { languageTag } from '@/lib/services/speech-language';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';
import { db } from './client';
import { entries } from './schema/entries';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

it('brings languages from before over to tags, as new answers are read', async () => {
  const { id: userId } = await makeUser();
  const before = ['english', 'Haitian Creole', 'en', 'pt-br', 'zh-hans-cn', 'jw', 'klingonese', 'de', null];
  for (const language of before) await makeEntry(userId, { title: String(language), language });
  const folder = path.join(import.meta.dirname, 'migrations');
  const name = (await readdir(folder)).find((file) => file.endsWith('_language_tags.sql')) ?? '';
  const statements = (await readFile(path.join(folder, name), 'utf8')).split('--> statement-breakpoint');
  for (const statement of statements) await db().execute(sql.raw(statement));

  const rows = await db().select({ title: entries.title, language: entries.language }).from(entries);
  const after = new Map(rows.map(({ title, language }) => [title, language]));
  expect(before.map((language) => after.get(String(language)))).toEqual(before.map(languageTag));
});
