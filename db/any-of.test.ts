import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyOf, noneOf } from '@/db/any-of';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { entries } from '@/db/schema/entries';
import { vocabulary } from '@/db/schema/transcripts';
import { useFreshDatabase } from '@/test/app-database';
import { makeEntry, makeUser } from '@/test/factories';

let end: () => Promise<void>;

beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('lists of any length', () => {
  it('match by any text, however many there are', async () => {
    const { id: userId } = await makeUser();
    const words = [
      'plain',
      'a "quote"',
      'back\\slash',
      '{brace,comma}',
      "apos'trophe",
      'NULL',
      '',
      'two\nlines',
      'é',
    ];
    await db()
      .insert(vocabulary)
      .values(words.map((word) => ({ userId, word })));
    const many = Array.from({ length: 70_000 }, (_, index) => `other${index}`);
    const select = async (where: ReturnType<typeof anyOf>) =>
      (await db().select({ word: vocabulary.word }).from(vocabulary).where(where))
        .map(({ word }) => word)
        .sort();
    expect(await select(anyOf(vocabulary.word, [...many, ...words]))).toEqual([...words].sort());
    expect(await select(noneOf(vocabulary.word, [...many, 'plain']))).toEqual(words.slice(1).sort());
    expect(await select(anyOf(vocabulary.word, []))).toEqual([]);
    expect(await select(noneOf(vocabulary.word, []))).toHaveLength(words.length);
  });

  it('match by ids and by names of states', async () => {
    const { id: userId } = await makeUser();
    const { id } = await makeEntry(userId);
    const select = (where: ReturnType<typeof anyOf>) =>
      db().select({ id: entries.id }).from(entries).where(where);
    expect(await select(anyOf(entries.id, [id, userId]))).toEqual([{ id }]);
    expect(await select(anyOf(entries.videoStatus, ['ready', 'failed']))).toEqual([{ id }]);
    expect(await db().$count(users, noneOf(users.id, [id]))).toBeGreaterThan(0);
  });

  it('aren’t given as a parameter for each value', () => {
    const files = ['lib', 'inngest', 'app', 'db'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    );
    const found = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          // A list that's written out, a constant, or a query.
          /\b(?:inArray|notInArray)\(\s*[\w.]+,(?!\s*(?:\[(?!\.\.\.)|[A-Z_]+\b|tx\s*\.select\())/g,
        ),
      ].map(() => file),
    );
    expect(found).toEqual([]);
  });
});
