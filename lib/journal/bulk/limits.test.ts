import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSpokenDays, readJournal } from '@/test/bulk-fixtures';
import { makeTag } from '@/test/entry-fixtures';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import * as contract from './contract';
import { changeTags, undoTags } from './service';

let services: Awaited<ReturnType<typeof startLocalServices>>;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const makeIds = (count: number) => Array.from({ length: count }, () => randomUUID());

it('undoes the largest change of tags: 50 on 500 entries', async () => {
  const user = await makeUser({ grantedPlan: 'Standard' });
  const ids = await makeSpokenDays(user.id, 500);
  const kept: string[] = [];
  for (let n = 0; n < 25; n += 1) kept.push(await makeTag(user.id, `Old ${n}`));
  await changeTags(user.id, ids, { add: kept, remove: [], create: [] });
  const before = await readJournal(user.id);
  const create = Array.from({ length: 25 }, (_, n) => `New ${n}`);
  const changed = await changeTags(user.id, ids, { add: [], remove: kept, create });
  const sent = JSON.stringify(contract.changeTags.response.parse(changed));
  expect(sent.length).toBeLessThanOrEqual(contract.undoTags.bodyLimit);
  await undoTags(user.id, contract.undoTags.body.parse(JSON.parse(sent)));
  expect(await readJournal(user.id)).toEqual(before);
});

it('refuses to undo more entries or tags than one change has, however they’re split up', () => {
  const groupsOf = (ids: string[], size: number) =>
    Array.from({ length: ids.length / size }, (_, n) => ({
      tag: randomUUID(),
      entries: ids.slice(n * size, (n + 1) * size),
    }));
  const undo = (change: object) =>
    contract.undoTags.body.safeParse({ added: [], removed: [], created: [], ...change });
  const ids = makeIds(500);
  const [added, removed] = [groupsOf(ids.slice(0, 250), 10), groupsOf(ids.slice(250), 10)];
  expect(undo({ added, removed, created: [added[0]?.tag] }).success).toBe(true);
  const another = { tag: added[0]?.tag, entries: makeIds(1) };
  expect(undo({ added, removed: [...removed, another] }).error?.issues).toMatchObject([
    { path: ['added'], message: 'Select at most 500 entries at a time.' },
  ]);
  expect(undo({ added, removed, created: makeIds(1) }).error?.issues).toMatchObject([
    { path: ['added'], message: 'Change at most 50 tags at a time.' },
  ]);
});
