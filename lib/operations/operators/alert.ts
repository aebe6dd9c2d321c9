import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { findMailProblems, sendMail } from '@/lib/clients/mail';
import { operatorEmail } from '@/lib/foundation/site';
import { alertMail } from '@/lib/messaging/mails/operator-mails';
import { readOptionsOrExplain } from '@/lib/operations/program-options';

const HELP = `Emails the operator, at once and without the database. The text is what it reads from stdin.

  journalctl -u daylight-backup | npm run daylight -- alert SUBJECT

It goes to OPERATOR_EMAIL, or to OPERATOR_CONTACT if that’s an email address. A subject of several words needs quotation
marks. Exits with 0 if it was sent, 1 if it wasn’t, and 2 if the command is wrong.`;

/** How much of a report is sent, in bytes: its end, which says how something went. */
const MAX_BYTES = 20_000;
const MAX_SUBJECT = 200;
const CHECK_TIMEOUT_MS = 10_000;

interface Io {
  /** Checks the settings, and ends the process if they're incomplete. */
  readSettings(): unknown;
  /** What the report is read from; null for none. */
  input: AsyncIterable<Buffer | string> | null;
  print(text: string): void;
  warn(text: string): void;
}

/** Returns the end of a report, from the first whole line. */
async function readEnd(input: AsyncIterable<Buffer | string>): Promise<string> {
  let end = Buffer.alloc(0);
  let isCut = false;
  for await (const chunk of input) {
    const all = Buffer.concat([end, Buffer.from(chunk)]);
    isCut ||= all.length > MAX_BYTES;
    end = all.subarray(-MAX_BYTES);
  }
  const text = end.toString('utf8');
  const from = isCut ? text.indexOf('\n') + 1 : 0;
  return `${isCut ? '…\n' : ''}${text.slice(from)}`.trimEnd();
}

/** Returns the subject. @throws Error if it's missing, or if there's more */
function readSubject(args: string[]): { subject: string; help: boolean } {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [subject = ''] = positionals.map((text) => text.replace(/\s+/g, ' ').trim());
  if (!values.help && (subject === '' || positionals.length > 1))
    throw new Error('Pass one subject, in quotation marks.');
  return { subject: subject.slice(0, MAX_SUBJECT), ...values };
}

/** Returns why an email wasn't sent, in sentences for the operator. */
async function explain(error: unknown): Promise<string> {
  const problems = await findMailProblems(CHECK_TIMEOUT_MS).catch(() => []);
  return problems.join(' ') || (error instanceof Error ? error.message : String(error));
}

/** Sends the operator an email without the outbox, so that it works while the database doesn't. @returns the exit code */
export async function runAlert(args: string[], { readSettings, input, print, warn }: Io): Promise<0 | 1 | 2> {
  const read = readOptionsOrExplain(() => readSubject(args), HELP, { print, warn });
  if (typeof read === 'number') return read;
  readSettings();
  const to = operatorEmail();
  if (!to) {
    warn('Nothing was sent, because there’s no address to send it to. Set OPERATOR_EMAIL.');
    return 1;
  }
  try {
    await sendMail(uuidv7(), await alertMail(to, read.subject, input ? await readEnd(input) : ''));
    return 0;
  } catch (error) {
    warn(`The email wasn’t sent. ${await explain(error)}`);
    return 1;
  }
}
