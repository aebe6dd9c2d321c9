import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '@/db/migrate';
import journal from '@/db/migrations/meta/_journal.json';
import { createTestDatabase, type TestDatabase } from './database';
import previous from './previous-release.json';
import { findBreakingChanges, readCatalog } from './schema-changes';

/** When the newest migration of the previous release was generated. */
const RELEASED = journal.entries.find(({ tag }) => tag === previous.migration)?.when ?? 0;

let database: TestDatabase;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Runs statements and returns what they break, without an effect on the database. */
async function findBroken(statements: string[]): Promise<string[]> {
  let found: string[] = [];
  const undo = new Error('undo');
  await sql
    .begin(async (tx) => {
      const before = await readCatalog(tx);
      for (const statement of statements) await tx.unsafe(statement);
      found = findBreakingChanges(before, await readCatalog(tx));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return found;
}

describe('migrations since the previous release', () => {
  it('only add, or name a released migration that the oldest running code needs', async () => {
    expect(RELEASED).toBeGreaterThan(0);
    const problems: string[] = [];
    await sql.begin(async (tx) => {
      await tx`drop schema public cascade`;
      await tx`create schema public`;
      for (const [index, { at, statements, needs }] of readMigrations().entries()) {
        const before = await readCatalog(tx);
        for (const statement of statements) await tx.unsafe(statement);
        if (at <= RELEASED) continue;
        const broken = findBreakingChanges(before, await readCatalog(tx));
        if (needs === null && broken.length > 0)
          problems.push(`${journal.entries[index]?.tag} ${broken.join(', ')}`);
        if (needs !== null && needs > RELEASED)
          problems.push(`${journal.entries[index]?.tag} needs an unreleased migration`);
      }
    });
    expect(problems, 'see “Expand, then contract” in CONTRIBUTING.md').toEqual([]);
  });
});

describe('a change that the previous release may not survive', () => {
  it.each([
    ['alter table users drop column first_name', 'removes users.first_name'],
    ['alter table users rename column first_name to given_name', 'removes users.first_name'],
    ['alter table notes rename to remarks', 'removes notes.id'],
    ['drop table notes', 'removes notes.id'],
    ['alter table users alter column first_name type varchar(500)', 'changes the type of users.first_name'],
    ['alter table users alter column verified_at set not null', 'requires users.verified_at'],
    ['alter table users add column nickname text not null', 'adds users.nickname without a default'],
    ['alter table users alter column created_at drop default', 'removes the default of users.created_at'],
    ["alter type job_kind rename value 'video' to 'film'", "removes job_kind 'video'"],
    ['drop function search_recount cascade', 'removes search_recount'],
    ['alter table entries add constraint short check (length(title) < 9)', 'adds short on entries'],
    ['create unique index one_title on entries (title)', 'adds one_title on entries'],
  ])('is found in “%s”', async (statement, change) => {
    const found = await findBroken([statement]);
    expect(
      found.some((text) => text.startsWith(change)),
      found.join(', '),
    ).toBe(true);
  });

  it('isn’t seen in one that only adds', async () => {
    const found = await findBroken([
      'create table moods (id uuid primary key, entry_id uuid not null references entries (id), mood text unique)',
      'alter table entries add column mood_id uuid references moods (id), add column stars int not null default 0',
      'create index entries_stars on entries (stars)',
      "alter type job_kind add value 'mood'",
      'alter table users alter column verified_at drop not null',
    ]);
    expect(found).toEqual([]);
  });
});
