import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { entries } from '@/db/schema/entries';
import { makeUser } from '@/test/factories';
import { startLocalServices } from '@/test/services';
import { projectRoot } from './data-dir';
import { makeDemo } from './demo';

let services: Awaited<ReturnType<typeof startLocalServices>>;
beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services.end());

const run = async (env: Record<string, string> = {}) => {
  const lines: string[] = [];
  const stop = new AbortController().signal;
  const log = (text: string) => lines.push(text);
  const shown = await makeDemo({ root: projectRoot, env: { ...process.env, ...env }, log, stop });
  return { shown, logged: lines.join('') };
};

it('makes no second journal for the account that has one, and says how to log in', async () => {
  await makeUser({ email: 'demo@daylight.local' });
  expect((await run()).shown).toBe('log in as demo@daylight.local (made earlier)');
  expect(await db().select().from(entries)).toEqual([]);
});

it('goes on without the journal if it can’t be made, and logs why', async () => {
  const { shown, logged } = await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  expect(shown).toBe('not made; the reason is in the log');
  expect(logged).toContain('ECONNREFUSED');
});
