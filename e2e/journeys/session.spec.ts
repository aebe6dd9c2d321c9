import { listEntries } from '@/lib/journal/entries/contract';
import { insertEntry, userIdOf } from '../database';
import { expect, test } from '../fixtures';

const ACCESS = 'next-auth.session-token';
const REFRESH = 'daylight.refresh';

test.describe('the session', () => {
  test('is renewed on the way, without a bounce, when its access part is gone', async ({ page, context }) => {
    await context.clearCookies({ name: ACCESS });
    const answer = await page.goto('/journals');
    expect([answer?.status(), answer?.request().redirectedFrom()]).toEqual([200, null]);
    await expect(page).toHaveURL('/journals');
    await expect(page.getByText('Your journal is empty.')).toBeVisible();
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([ACCESS, REFRESH]));
  });

  test('is renewed once by a call that is refused, which is then repeated once', async ({
    page,
    anonymous,
    account,
    sql,
    watch,
  }) => {
    watch.allowConsole(/status of 401/);
    const id = await insertEntry(sql, await userIdOf(sql, account.email), { videoStatus: 'failed' });
    await page.goto(`/entry/${id}`);
    const previewed = page.waitForResponse('**/remove/preview');
    await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
    await previewed;
    // Cleared from the browser, the cookie could come back by a page that is being prefetched.
    await page.route(
      '**/remove',
      async (route) => {
        const refused = await anonymous.send('POST', new URL(route.request().url()).pathname);
        await route.fulfill({ status: refused.status, json: await refused.json() });
      },
      { times: 1 },
    );
    const calls: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/api/')) {
        calls.push(`${response.status()} ${pathname.replace(id, ':id')}`);
      }
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('/journals');
    expect(calls).toEqual([
      '401 /api/v1/entry/:id/remove',
      '200 /api/v1/token/refresh',
      '200 /api/v1/entry/:id/remove',
    ]);
  });

  test('that cannot be renewed leads to login', async ({ page, context, account, sql, watch }) => {
    watch.allowConsole(/status of 401/);
    const id = await insertEntry(sql, await userIdOf(sql, account.email), { videoStatus: 'failed' });
    await page.goto(`/entry/${id}`);
    await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
    await context.clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(`/entry/${id}`)}`);
    expect(await account.api.call(listEntries)).toHaveLength(1);
  });

  test('of a browser that was signed out elsewhere is refused everywhere', async ({ page, account }) => {
    await page.goto('/journals');
    await account.api.send('GET', '/api/v1/logout');
    for (const path of ['/journals', '/upload', '/']) {
      const headers = { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' };
      const answer = await page.request.get(path, { headers, maxRedirects: 0 });
      expect(await answer.text()).not.toContain(account.email);
      await page.goto(path);
      await expect(page).toHaveURL(path === '/' ? '/' : /\/login\?next=/);
    }
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  });
});
