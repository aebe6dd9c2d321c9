import { getEntry, updateEntry } from '@/lib/journal/entries/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';
import { expectError } from './response-assertions';

test('a request that waits too long for a lock answers 503, and the next one succeeds', async ({
  account,
  api,
  sql,
  watch,
}) => {
  watch.allowLog(/A query failed \(55P03\)/);
  const id = await insertEntry(sql, await userIdOf(sql, account.email), { title: 'Before' });
  const rename = () => api.sendOperation(updateEntry, { params: { id }, body: { title: 'After' } });
  const answer = await sql.begin(async (tx) => {
    await tx`select from entries where id = ${id} for update`;
    return rename();
  });
  await expectError(answer, 'unavailable');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await api.call(getEntry, { params: { id } })).title).toBe('Before');
  expect((await rename()).status).toBe(200);
});
