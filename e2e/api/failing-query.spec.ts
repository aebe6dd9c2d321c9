import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getEntry } from '@/lib/journal/entries/contract';
import { canaries, findCanaries } from '@/test/leaks/canaries';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';

test('a query that fails for a page or the API shows no journal text, in the answer or in the log', async ({
  account,
  api,
  app,
  page,
  sql,
  watch,
}) => {
  watch.allowConsole(/Minified React error #441|favicon\.ico|status of 500/);
  watch.allowLog(/P0001|⨯/);
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: canaries.title });
  // Fails every query that reads this entry, and quotes it as Postgres quotes a row.
  await sql.unsafe(`create function canary_read(title text) returns boolean language plpgsql as $$ begin
      if title = '${canaries.title}' then
        raise exception 'Failing row contains (%)', title using detail = title, hint = title;
      end if;
      return true;
    end $$;
    create policy canary on entries using (canary_read(title));
    alter table entries enable row level security;
    alter table entries force row level security`);
  try {
    const answer = await api.sendOperation(getEntry, { params: { id } });
    expect(answer.status).toBe(500);
    expect(findCanaries(await answer.text())).toEqual([]);
    await page.goto(`/entry/${id}`);
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    expect(findCanaries(await page.content())).toEqual([]);
    await page.goto(`/search?query=${canaries.spoken[0]}`);
  } finally {
    await sql.unsafe(`alter table entries no force row level security;
      alter table entries disable row level security;
      drop policy canary on entries;
      drop function canary_read(text)`);
  }
  const log = () => readFileSync(join(app.dataDir, 'logs', 'app.log'), 'utf8');
  // Next's own report of the page, and the endpoint's line.
  await expect
    .poll(
      () =>
        log()
          .split('\n')
          .filter((line) => line.includes('⨯')).length,
    )
    .toBeGreaterThan(0);
  await expect.poll(log).toMatch(/"err":\{"name":"QueryError".*P0001/);
  expect(findCanaries(log())).toEqual([]);
});
