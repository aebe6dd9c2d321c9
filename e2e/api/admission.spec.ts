import { seedAccount } from '@/e2e/accounts';
import { sendUntilServed } from '@/e2e/client';
import { expect, test } from '@/e2e/fixtures';
import { getProfile, updateProfile } from '@/lib/account/profile/contract';
import { REQUEST_WAIT_MS } from '@/lib/foundation/admission';
import { search } from '@/lib/journal/search/contract';
import { userIdOf } from '../database';
import { expectError } from './response-assertions';

test('fifty calls at once by one person are all answered', async ({ api }) => {
  const waits: number[] = [];
  const answers = Array.from({ length: 50 }, (_, index) =>
    sendUntilServed(async () => {
      const began = performance.now();
      const answer = await (index % 2 === 0
        ? api.send('GET', '/journals')
        : api.sendOperation(search, { query: { query: 'a' } }));
      if (!answer.ok) waits.push(performance.now() - began);
      return answer;
    }),
  );
  expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
  // A slow machine doesn't get to all of them in time. None is turned away before.
  expect(waits.filter((wait) => wait < REQUEST_WAIT_MS)).toEqual([]);
});

test('changes that wait for one account’s row keep no other account waiting', async ({
  app,
  api,
  account,
  sql,
}) => {
  const other = await seedAccount(app.url, sql);
  const userId = await userIdOf(sql, account.email);
  const body = { firstName: 'Ada', lastName: 'Byron' };
  const lock = await sql.reserve();
  await lock`begin`;
  await lock`select 1 from users where id = ${userId} for update`;
  const answers: Response[] = [];
  const changes = Array.from({ length: 20 }, () =>
    api.sendOperation(updateProfile, { body }).then((answer) => answers.push(answer)),
  );
  const waiting = async () => {
    const rows = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"users"%'`;
    return rows.length;
  };
  await expect.poll(waiting).toBe(4);
  await other.api.call(getProfile);
  await other.api.call(updateProfile, { body });
  expect(await waiting()).toBe(4);
  // Those that have no connection, or no turn, after two seconds.
  await expect.poll(() => answers.length).toBe(16);
  for (const answer of answers) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectError(answer, 'rate_limited');
  }
  await lock`rollback`;
  lock.release();
  await Promise.all(changes);
  expect(answers.slice(16).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a file that isn’t there is no page', async ({ anonymous, api }) => {
  for (const client of [anonymous, api]) {
    for (const path of ['/nothing.x', '/wp-login.php', '/icons/nothing.png']) {
      const answer = await client.send('GET', path);
      expect([path, answer.status, answer.headers.get('set-cookie')]).toEqual([path, 404, null]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      expect((await answer.text()).length).toBeLessThan(1000);
    }
  }
});

test('files are there', async ({ anonymous }) => {
  const page = await (await anonymous.send('GET', '/login')).text();
  const scripts = [...page.matchAll(/src="(\/_next\/static\/[^"]+\.js)[^"]*"/g)].map(
    ([, path]) => path ?? '',
  );
  expect(scripts.length).toBeGreaterThan(0);
  const files = ['/icon.svg', '/apple-icon.png', '/favicon.ico', '/robots.txt', '/sitemap.xml', '/sw.js'];
  for (const path of [...files, '/manifest.webmanifest', '/icons/icon-192.png', ...scripts.slice(0, 2)]) {
    expect([path, (await anonymous.send('GET', path)).status]).toEqual([path, 200]);
  }
});
