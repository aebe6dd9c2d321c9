import { expect, test } from '@/e2e/fixtures';
import { sendRaw } from '@/test/raw-http';

test('no header opens a page to nobody', async ({ anonymous }) => {
  const subrequest = 'middleware:middleware:middleware:middleware:middleware';
  const disguises: Record<string, string>[] = [
    { 'x-middleware-subrequest': subrequest },
    { 'x-middleware-subrequest': `src/${subrequest.replaceAll(':', ':src/')}` },
    { 'x-middleware-prefetch': '1', purpose: 'prefetch', 'next-router-prefetch': '1', rsc: '1' },
    { rsc: '1' },
    { rsc: '1', 'next-router-segment-prefetch': '/_tree', 'next-router-prefetch': '1' },
    { 'x-nextjs-data': '1' },
    { 'x-path': '/', 'x-nonce': 'mine' },
  ];
  const targets = new Set<string>();
  for (const path of ['/settings', '/journals', '/upload', '/settings.rsc', '/_next/data/x/settings.json']) {
    for (const headers of disguises) {
      const answer = await anonymous.send('GET', path, { headers });
      const text = await answer.text();
      const leaks = answer.status === 200 && /Update Profile|My Journal Entries|Start Recording/.test(text);
      expect(leaks, `${path} ${JSON.stringify(headers)} ${answer.status}`).toBe(false);
      const to = answer.headers.get('location');
      if (to) targets.add(new URL(to, 'http://here').pathname);
    }
  }
  expect(targets).toEqual(new Set(['/login']));
});

test('a request that claims to be of Next’s older router is redirected like any other', async ({
  anonymous,
}) => {
  const redirect = async (headers: Record<string, string>) => {
    const answer = await anonymous.send('GET', '/settings', { headers });
    return [answer.status, answer.headers.get('location'), answer.headers.get('x-nextjs-redirect')];
  };
  const usual = await redirect({});
  expect(usual).toEqual([307, expect.stringContaining('/login'), null]);
  expect(await redirect({ 'x-nextjs-data': '1' })).toEqual(usual);
});

const FORGED_HOST = {
  host: 'elsewhere.example',
  'x-forwarded-host': 'elsewhere.example',
  'x-forwarded-proto': 'https',
};

test('a forged Host gets into no mail and no redirect', async ({ app, account, mailbox }) => {
  const body = JSON.stringify({ email: account.email });
  const headers = { ...FORGED_HOST, 'content-type': 'application/json' };
  const asked = await sendRaw(`${app.url}/api/v1/reset_password`, { method: 'POST', headers, body });
  expect(asked.status).toBe(200);
  const mail = await mailbox.wait(account.email, /new password/i);
  expect(mail.text + mail.html).not.toContain('elsewhere.example');
  expect(mail.text).toContain(`${app.url}/reset/`);
  const settings = await sendRaw(`${app.url}/settings`, { method: 'GET', headers });
  expect(settings.headers.location ?? '').not.toContain('elsewhere.example');
});
