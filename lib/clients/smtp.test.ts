import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { startSmtpServer } from '@/test/smtp-server';
import { findSmtpProblems, sendBySmtp } from './smtp';

const closers: (() => Promise<void>)[] = [];

beforeAll(() => {
  Object.assign(process.env, TEST_SETTINGS, { DATABASE_URL: 'postgres://nowhere.invalid/none' });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const from = 'Daylight <hello@daylight.test>';
const mail = { to: 'ada@example.com', subject: 'Hello', html: '<p>Hello, Ada</p>', text: 'Hello, Ada' };
const SECRET = 'p@ss/w%rd';

async function start(options: Parameters<typeof startSmtpServer>[0] = {}) {
  const server = await startSmtpServer(options);
  closers.push(server.close);
  return server;
}

/** Sends the email. @returns `sent`, or what the error says and whether it's permanent */
function send(url: string, change: Partial<typeof mail> = {}, timeouts = {}) {
  return sendBySmtp({ url, from }, 'id-1', { ...mail, ...change }, timeouts).then(
    () => 'sent',
    (error: Error & { permanent?: boolean }) => [error.message, error.permanent],
  );
}

describe('email over SMTP', () => {
  it('arrives in both forms, with a Message-ID that’s the same in a repeat', async () => {
    const server = await start();
    expect([await send(server.url), await send(server.url)]).toEqual(['sent', 'sent']);
    for (const { from: sender, to, raw } of server.mails) {
      expect([sender, to]).toEqual(['hello@daylight.test', ['ada@example.com']]);
      expect(raw).toMatch(/^Message-ID: <id-1@daylight\.test>\r$/im);
      expect(raw).toMatch(/^Subject: Hello\r$/m);
      expect(raw).toMatch(/text\/plain[\s\S]*Hello, Ada[\s\S]*text\/html[\s\S]*<p>Hello, Ada<\/p>/);
    }
    expect(server.mails).toHaveLength(2);
  });

  it('signs in with a percent-encoded password, and names a wrong one in no error', async () => {
    const server = await start({ password: SECRET });
    const url = (password: string) => server.url.replace('//', `//ada:${encodeURIComponent(password)}@`);
    expect(await send(url(SECRET))).toBe('sent');
    expect(server.mails).toMatchObject([{ user: 'ada' }]);
    expect(await send(url('wrong'))).toEqual([expect.stringMatching(/^SMTP: EAUTH AUTH \w+ 535$/), false]);
    expect(await findSmtpProblems(url(SECRET), 10_000)).toEqual([]);
    expect(await findSmtpProblems(url('wrong'), 10_000)).toEqual([
      expect.stringMatching(/rejected the user name or password in SMTP_URL/),
    ]);
    expect(server.mails).toHaveLength(1);
  });

  it.each([
    [{ recipient: 450 }, 'SMTP: EENVELOPE RCPT TO 450', false],
    [{ recipient: 550 }, 'SMTP: EENVELOPE RCPT TO 550', true],
    [{ recipient: 550, reason: '5.1.1 User unknown' }, 'SMTP: EENVELOPE RCPT TO 550', true],
    [{ recipient: 554, reason: '5.7.1 Relay access denied' }, 'SMTP: EENVELOPE RCPT TO 554', false],
    [{ recipient: 553, reason: '5.7.1 Sender: not owned by user' }, 'SMTP: EENVELOPE RCPT TO 553', false],
    [{ recipient: 550, reason: '5.1.8 Sender: Domain not found' }, 'SMTP: EENVELOPE RCPT TO 550', false],
    [{ data: 451 }, 'SMTP: EMESSAGE DATA 451', false],
    [{ data: 554 }, 'SMTP: EMESSAGE DATA 554', true],
  ])('is tried again only if that can help: %j', async (behavior, message, permanent) => {
    const server = await start();
    Object.assign(server.behavior, behavior);
    expect(await send(server.url)).toEqual([message, permanent]);
    Object.assign(server.behavior, { recipient: undefined, data: undefined });
    expect(await send(server.url)).toBe('sent');
  });

  it.each<[string, (socket: Socket) => void]>([
    ['greets', () => undefined],
    ['answers', (socket) => socket.write('220 hello\r\n')],
  ])('gives up on a server that never %s', async (_name, greet) => {
    const silent = createServer(greet);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const sockets = new Set<Socket>();
    silent.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
    const { port } = silent.address() as AddressInfo;
    const url = `smtp://127.0.0.1:${port}`;
    expect(await send(url, {}, { answerMs: 300 })).toEqual([expect.stringMatching(/^SMTP: E/), false]);
    expect(await findSmtpProblems(url, 300)).toEqual([expect.stringMatching(/isn’t responding/)]);
    for (const socket of sockets) socket.destroy();
    silent.close();
    expect(await send(url)).toEqual([expect.stringMatching(/^SMTP: ESOCKET/), false]);
  });

  it('goes to one address, and carries no header but ours, whatever is in it', async () => {
    const server = await start();
    const to = 'ada@example.com\r\nBcc: eve@example.com';
    expect(await send(server.url, { to })).toEqual([expect.stringMatching(/^SMTP: /), true]);
    await send(server.url, { to: 'ada@example.com, eve@example.com' });
    expect(await send(server.url, { subject: 'Hello\r\nBcc: eve@example.com' })).toBe('sent');
    for (const delivered of server.mails) {
      expect(delivered.to).toHaveLength(1);
      expect(delivered.to.join()).not.toMatch(/^eve/);
      expect(delivered.raw).not.toMatch(/^Bcc:/im);
    }
  });
});

/** Connects to this machine too, but isn't a name of it. */
const elsewhere = ({ port }: { port: number }, query = '') => `smtp://0.0.0.0:${port}${query}`;

describe('encryption', () => {
  it('is used on this machine where it’s offered, whoever signed the certificate', async () => {
    const [server, tls] = [await start(), await start({ secure: true })];
    expect([await send(server.url), await send(tls.url)]).toEqual(['sent', 'sent']);
    expect([...server.mails, ...tls.mails]).toMatchObject([{ secure: true }, { secure: true }]);
  });

  it('is required elsewhere, unless told otherwise', async () => {
    const server = await start({ disabledCommands: ['STARTTLS'] });
    expect(await send(server.url)).toBe('sent');
    expect(await send(elsewhere(server))).toEqual([expect.stringMatching(/^SMTP: ETLS/), false]);
    expect(await findSmtpProblems(elsewhere(server), 10_000)).toEqual([
      expect.stringMatching(/doesn’t offer a secure connection/),
    ]);
    expect(server.mails).toHaveLength(1);
    expect(await send(elsewhere(server, '?ignoreTLS=true'))).toBe('sent');
  });

  it('needs a valid certificate elsewhere, unless told otherwise', async () => {
    const server = await start();
    expect(await send(elsewhere(server))).toEqual([expect.stringMatching(/^SMTP: E/), false]);
    expect(await findSmtpProblems(elsewhere(server), 10_000)).toEqual([
      expect.stringMatching(/valid certificate/),
    ]);
    expect(server.mails).toEqual([]);
    expect(await send(elsewhere(server, '?tls.rejectUnauthorized=false'))).toBe('sent');
    expect(server.mails).toMatchObject([{ secure: true }]);
  });
});
