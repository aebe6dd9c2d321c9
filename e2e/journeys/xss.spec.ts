import { insertEntry, userIdOf } from '@/e2e/database';
import { expect, test } from '@/e2e/fixtures';
import { updateProfile } from '@/lib/account/profile/contract';

const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 1">',
  '"><svg onload="window.ran = 1">',
  "';window.ran = 1;//",
  '</title><script>window.ran = 1</script>',
  '{{constructor.constructor("window.ran = 1")()}}',
];

test('script in names and titles is shown and never runs', async ({ page, account, sql }) => {
  const userId = await userIdOf(sql, account.email);
  for (const text of HOSTILE) {
    await account.api.call(updateProfile, { body: { firstName: text, lastName: text } });
    const id = await insertEntry(sql, userId, { title: text, videoStatus: 'failed', videoError: text });
    for (const path of [
      '/',
      '/journals',
      `/entry/${id}`,
      '/settings',
      `/login?next=${encodeURIComponent(text)}`,
    ]) {
      await page.goto(path);
      await page.waitForLoadState('load');
      expect(await page.evaluate(() => 'ran' in window), `${text} on ${path}`).toBe(false);
    }
  }
  await page.goto('/settings');
  await expect(page.getByLabel('First name')).toHaveValue(HOSTILE.at(-1) ?? '');
});

test('markup that got into a page all the same is stopped by the policy', async ({ page, watch }) => {
  watch.allowConsole(/Content Security Policy|status of 404|ERR_/i);
  await page.goto('/settings');
  const violated = await page.evaluate(async () => {
    const seen: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const holder = document.createElement('div');
    holder.innerHTML =
      '<img src="/x" onerror="window.ran = 1"><a href="javascript:window.ran = 1">x</a><base href="https://elsewhere.example/"><iframe srcdoc="<script>parent.ran = 1</script>"></iframe><form action="https://elsewhere.example/"><button>x</button></form>';
    document.body.append(holder);
    holder.querySelector('a')?.click();
    holder.querySelector('button')?.click();
    const deadline = Date.now() + 10_000;
    const wanted = ['script-src-attr', 'script-src-elem', 'base-uri', 'form-action'];
    while (!wanted.every((directive) => seen.includes(directive)) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { missing: wanted.filter((directive) => !seen.includes(directive)), ran: 'ran' in window };
  });
  expect(violated).toEqual({ missing: [], ran: false });
  expect(new URL(page.url()).pathname).toBe('/settings');
});
