import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ResendServer, startResend } from './server';

const realKey = process.env['CONTRACT_RESEND_API_KEY'];
/** Resend's test addresses, which work without a domain. */
const from = 'Daylight <onboarding@resend.dev>';
const to = 'delivered@resend.dev';

let directory: string;
let local: ResendServer | undefined;
let resend: Resend;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mailbox-'));
  if (realKey) {
    resend = new Resend(realKey);
    return;
  }
  local = await startResend({ dir: join(directory, 'mails'), apiKey: 're_test' });
  resend = new Resend('re_test', { baseUrl: local.url });
});
afterAll(async () => {
  await local?.close();
  await rm(directory, { recursive: true });
});

/** Returns a key or subject that no other run has used. */
const unique = (name: string) => `${name} ${crypto.randomUUID()}`;

async function sent(mail: Parameters<Resend['emails']['send']>[0], idempotencyKey?: string): Promise<string> {
  const { data, error } = await resend.emails.send(mail, idempotencyKey ? { idempotencyKey } : {});
  expect(error).toBeNull();
  return data?.id ?? '';
}

describe('Resend, as its SDK uses it', () => {
  test('sends an email and returns it', async () => {
    const subject = unique('Grüße "und" <mehr>');
    const mail = { from, to: [to], subject, html: '<p>Hello</p>', text: 'Hello' };
    const id = await sent(mail);
    const { data } = await resend.emails.get(id);
    expect(data).toMatchObject({ object: 'email', id, ...mail });
    expect(Number.isNaN(Date.parse(data?.created_at ?? ''))).toBe(false);
  });

  test('lists emails newest first, page by page', async () => {
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three'])
      ids.push(await sent({ from, to, subject: unique(text), text }));
    const newest = await resend.emails.list({ limit: 2 });
    expect(newest.data).toMatchObject({
      object: 'list',
      has_more: true,
      data: [{ id: ids[2] }, { id: ids[1] }],
    });
    const older = await resend.emails.list({ limit: 1, after: ids[1] ?? '' });
    expect(older.data?.data.map(({ id }) => id)).toEqual([ids[0]]);
  });

  test('the same idempotency key sends one email, even in parallel', async () => {
    const key = unique('key');
    const mail = { from, to, subject: unique('Once'), text: 'Once' };
    const first = await sent(mail, key);
    const again = await Promise.all(Array.from({ length: 5 }, () => sent(mail, key)));
    expect(new Set([first, ...again]).size).toBe(1);
    const { error } = await resend.emails.send({ ...mail, text: 'Twice' }, { idempotencyKey: key });
    expect(error).toMatchObject({ statusCode: 409, name: 'invalid_idempotent_request' });
  });

  test.each([
    ['no recipient', { from, to: '', subject: 'a', text: 'a' }],
    ["a recipient that isn't an address", { from, to: 'nobody', subject: 'a', text: 'a' }],
    ["a sender that isn't an address", { from: 'Daylight', to, subject: 'a', text: 'a' }],
  ])('refuses an email with %s', async (_name, mail) => {
    expect((await resend.emails.send(mail)).error).toMatchObject({
      statusCode: 422,
      name: expect.stringMatching(/^(validation_error|missing_required_field)$/),
      message: expect.any(String),
    });
  });

  test('refuses a wrong key and an unknown id', async () => {
    const stranger = new Resend('re_wrong', local ? { baseUrl: local.url } : {});
    const { error } = await stranger.emails.send({ from, to, subject: 'a', text: 'a' });
    expect(error).toMatchObject({ statusCode: 401, message: 'API key is invalid' });
    expect((await resend.emails.get(crypto.randomUUID())).error).toMatchObject({
      statusCode: 404,
      name: 'not_found',
    });
  });
});

describe.skipIf(realKey)('the local mailbox', () => {
  const page = (path: string) => fetch(`${local?.url}${path}`);

  test('remembers a key after a restart, and forgets it after 24 hours', async () => {
    const dir = join(directory, 'restarted');
    const mail = { from, to, subject: 'Once', text: 'Once' };
    const send = async () => {
      const mailbox = await startResend({ dir, apiKey: 're_test' });
      const client = new Resend('re_test', { baseUrl: mailbox.url });
      const { data } = await client.emails.send(mail, { idempotencyKey: 'once' });
      await mailbox.close();
      return data?.id ?? '';
    };
    const first = await send();
    expect(await send()).toBe(first);
    const path = join(dir, `${first}.json`);
    const stored = JSON.parse(await readFile(path, 'utf8'));
    const yesterday = new Date(Date.now() - 24 * 3600_000 - 1000).toISOString();
    await writeFile(path, JSON.stringify({ ...stored, createdAt: yesterday }));
    expect(await send()).not.toBe(first);
  });

  test('loses no acknowledged email when it is killed', async () => {
    const dir = join(directory, 'killed');
    const module = new URL('./server.ts', import.meta.url).href;
    const script = `import { startResend } from ${JSON.stringify(module)};
      const { url } = await startResend({ dir: ${JSON.stringify(dir)}, apiKey: 're_test' });
      process.stdout.write(url + '\\n');`;
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const client = new Resend('re_test', { baseUrl: url });
      const enough = acknowledged.length + 20;
      const sender = async () => {
        for (;;) {
          const { data } = await client.emails.send({ from, to, subject: 'Kept', text: 'x'.repeat(20_000) });
          if (!data) return;
          acknowledged.push(data.id);
          if (acknowledged.length >= enough) child.kill('SIGKILL');
        }
      };
      await Promise.all([sender(), sender(), sender(), sender()]);
      await exited;
    }
    const mailbox = await startResend({ dir, apiKey: 're_test' });
    const client = new Resend('re_test', { baseUrl: mailbox.url });
    expect(acknowledged.length).toBeGreaterThanOrEqual(60);
    for (const id of acknowledged) expect((await client.emails.get(id)).data?.text).toHaveLength(20_000);
    expect((await readdir(dir)).filter((name) => !name.endsWith('.json'))).toEqual([]);
    await mailbox.close();
  });

  test('shows emails on a page, filtered by recipient', async () => {
    const subject = unique('For Ada');
    const text = 'Your link: http://localhost/verify';
    const id = await sent({ from, to: 'ada@example.com', subject, text });
    expect(await (await page('/')).text()).toContain(subject);
    expect(await (await page('/?to=ADA%40example.com')).text()).toContain(`href="/mail/${id}"`);
    expect(await (await page('/?to=bob%40example.com')).text()).not.toContain(subject);
    const shown = await (await page(`/mail/${id}`)).text();
    for (const part of [subject, 'ada@example.com', text, '<time datetime="']) expect(shown).toContain(part);
    expect(shown).not.toContain('<iframe');
    expect((await page('/mail/unknown')).status).toBe(404);
    expect(await (await page('/health')).json()).toEqual({ status: 'ok' });
  });

  test('escapes emails and runs no script of theirs', async () => {
    const attack = `"'><script>alert(1)</script>`;
    const id = await sent({
      from: 'Eve "\'& <eve@example.com>',
      to: `"'&x@example.com`,
      subject: attack,
      html: `<!doctype html><html><head><title>a</title></head><body>${attack}<a href="/next">Go</a></body></html>`,
      text: attack,
    });
    for (const path of ['/', `/mail/${id}`, `/?to=${encodeURIComponent(attack)}`]) {
      const response = await page(path);
      const text = await response.text();
      expect(text).not.toContain('<script');
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|unsafe/);
    }
    const shown = await (await page(`/mail/${id}`)).text();
    expect(shown).toContain('&#34;&#39;&#62;&#60;script&#62;alert(1)&#60;/script&#62;');
    expect(shown).toMatch(/<iframe title="[^"]+" src="[^"]+" sandbox="[^"]*"/);
    expect(shown).not.toMatch(/allow-scripts|allow-same-origin/);
    const body = await page(`/mail/${id}/body`);
    const policy = body.headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none';.*; sandbox (?!.*allow-scripts)/);
    expect(await body.text()).toContain('<head><base target="_top"><title>');
  });

  const email = { from, to, subject: 'a', text: 'a' };
  test.each([
    ['POST', '/emails', { ...email, attachments: [{ content: '' }] }, 422, 'support `attachments`'],
    ['POST', '/emails', { ...email, cc: to }, 422, 'support `cc`'],
    ['POST', '/emails/batch', [email], 404, 'implement POST /emails/batch'],
    ['GET', '/emails?before=1', undefined, 422, 'support `before`'],
    ['GET', '/domains', undefined, 404, 'implement GET /domains'],
  ])("%s %s with %j says that it isn't supported", async (method, path, body, status, message) => {
    const response = await fetch(local?.url + path, {
      method,
      headers: { authorization: 'Bearer re_test' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { message: string }).message).toContain(`doesn't ${message}`);
  });

  test("refuses bodies that aren't an email, requests without a key and other host names", async () => {
    const post = (body: string) =>
      fetch(`${local?.url}/emails`, { method: 'POST', body, headers: { authorization: 'Bearer re_test' } });
    for (const body of ['', 'null', '[]', '{', '{"from":1,"to":{},"subject":[]}']) {
      expect((await post(body)).status).toBe(422);
    }
    expect((await post(`{"html":"${'x'.repeat(6 * 1024 * 1024)}"}`)).status).toBe(413);
    expect((await fetch(`${local?.url}/emails`)).status).toBe(401);
    expect((await fetch(`${local?.url}//elsewhere`)).status).toBe(404);
    const outgoing = httpRequest(`${local?.url}/`, { headers: { host: 'mail.example.com' } }).end();
    const [response] = await once(outgoing, 'response');
    expect(response.resume().statusCode).toBe(403);
  });
});
