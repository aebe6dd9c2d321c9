import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TEST_SETTINGS } from '@/test/app-database';
import { buildPrograms } from '@/test/programs';
import { startSmtpServer } from '@/test/smtp-server';

let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
let programs: Awaited<ReturnType<typeof buildPrograms>>;

beforeAll(async () => {
  smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  programs = await buildPrograms();
});
afterAll(async () => {
  await programs.remove();
  await smtp.close();
});
beforeEach(() => {
  smtp.mails.splice(0);
  delete smtp.behavior.recipient;
});

/** Runs the program where the database is away. */
const alert = (args: string[], input: string, env: Record<string, string> = {}) => {
  const settings = {
    ...TEST_SETTINGS,
    DATABASE_URL: 'postgres://a:b@127.0.0.1:9/daylight',
    SMTP_URL: smtp.url,
  };
  return programs.start('alert', { ...settings, OPERATOR_EMAIL: 'root@example.com', ...env }, args, input)
    .ended;
};

/** Returns the one email's plain text, decoded (RFC 2045). */
function receivedText(): string {
  expect(smtp.mails).toHaveLength(1);
  const part = smtp.mails[0]?.raw.split(/^Content-Type: text\/plain.*\r\n/m)[1]?.split('\r\n--')[0] ?? '';
  const [, encoding, encoded = ''] = /^Content-Transfer-Encoding: (\S+)\r\n\r\n([\s\S]*)$/.exec(part) ?? [];
  const quoted = encoded
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = encoding === 'base64' ? Buffer.from(encoded, 'base64') : Buffer.from(quoted, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

it('emails the operator while the database is away, with the lines as they are', async () => {
  const { code, output } = await alert(['The backup failed'], 'pg_dump: error: “no”\n  at line 2\n');
  expect([code, output]).toEqual([0, '']);
  expect(smtp.mails.map(({ to }) => to)).toEqual([['root@example.com']]);
  expect(smtp.mails[0]?.raw).toMatch(/^Subject: The backup failed\r$/m);
  expect(receivedText()).toMatch(
    /which runs localhost:3000, reports:\n+pg_dump: error: “no”\n {2}at line 2\n/,
  );
});

it('goes where people reach the operator unless there’s another address', async () => {
  const env = { OPERATOR_EMAIL: '', OPERATOR_CONTACT: 'ada@example.com' };
  expect(await alert(['Hello'], '', env)).toMatchObject({ code: 0 });
  expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
});

it('sends the end of a long report', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
  expect(await alert(['Long'], lines.join('\n'))).toMatchObject({ code: 0 });
  const text = receivedText();
  expect(text).toMatch(/…\nline \d+\n[\s\S]*\nline 19999\n/);
  expect(text.length).toBeLessThan(21_000);
});

it('says why nothing was sent', async () => {
  const nobody = await alert(['Hello'], '', { OPERATOR_EMAIL: '' });
  expect([nobody.code, nobody.output]).toEqual([1, expect.stringMatching(/Set OPERATOR_EMAIL\.\n$/)]);
  const away = await alert(['Hello'], '', { SMTP_URL: 'smtp://127.0.0.1:9' });
  expect([away.code, away.output]).toEqual([1, expect.stringMatching(/^The email wasn’t sent\. .*SMTP_URL/)]);
  smtp.behavior.recipient = 550;
  const refused = await alert(['Hello'], '');
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringMatching(/^The email wasn’t sent\. .*550/),
  ]);
  expect(refused.output).not.toContain('ada@example.com');
  const unset = await alert(['Hello'], '', { S3_BUCKET: '' });
  expect([unset.code, unset.output]).toEqual([1, expect.stringContaining('S3_BUCKET is missing')]);
});

it('explains itself when the command is wrong', async () => {
  for (const args of [[], ['Two', 'subjects'], [''], ['--urgent', 'Hello']]) {
    const { code, output } = await alert(args, 'text');
    expect([code, output], args.join(' ')).toEqual([2, expect.stringContaining('npm run daylight -- alert')]);
  }
  expect((await alert(['--help'], '')).code).toBe(0);
  expect(smtp.mails).toEqual([]);
});
