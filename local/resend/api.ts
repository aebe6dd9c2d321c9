import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { MailStore, StoredMail } from './store';
import { invalid, type MailError, readMail } from './validate';

/** Far more than a mail without attachments needs. Bytes. */
const largestBody = 5 * 1024 * 1024;

/** An answer to be sent; `policy` is its Content-Security-Policy. */
export type Answer = { status: number; type: string; body: string; policy?: string };

export function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** An error in Resend's shape. */
export function failure(error: MailError): Answer {
  return json(error.statusCode, error);
}

/** Checks the bearer key; answers what is wrong with it. */
export function refuseKey(request: IncomingMessage, apiKey: string): MailError | undefined {
  const given = request.headers.authorization;
  if (!given) return { statusCode: 401, name: 'missing_api_key', message: 'Missing API Key' };
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(given), digest(`Bearer ${apiKey}`))) return undefined;
  return { statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' };
}

/** `POST /emails`. */
export async function receive(request: IncomingMessage, store: MailStore): Promise<Answer> {
  const key = request.headers['idempotency-key']?.toString() ?? null;
  if (key !== null && (key.length < 1 || key.length > 256)) {
    return failure({
      statusCode: 400,
      name: 'invalid_idempotency_key',
      message: 'The idempotency key must be between 1-256 chars.',
    });
  }
  const body = await readBody(request);
  if (body === undefined) {
    return failure({ statusCode: 413, name: 'validation_error', message: 'The email is too large.' });
  }
  const mail = readMail(parseJson(body));
  if ('statusCode' in mail) return failure(mail);
  const kept = await store.add(mail, key);
  if (kept === 'different_body') {
    return failure({
      statusCode: 409,
      name: 'invalid_idempotent_request',
      message: 'This idempotency key has been used with a different payload in the last 24 hours.',
    });
  }
  return json(200, { id: kept.id });
}

/** The body as text, or nothing when it is too large; what is too much is read and dropped. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= largestBody) chunks.push(chunk);
  }
  return bytes <= largestBody ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `GET /emails` with Resend's pagination: `after` an id come older mails, `before` it newer ones, 20 unless `limit` says. */
export function listMails(store: MailStore, parameters: URLSearchParams): Answer {
  const limit = Number(parameters.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return failure(invalid('The pagination limit must be a number between 1 and 100.'));
  }
  const [after, before] = [parameters.get('after'), parameters.get('before')];
  if (after && before)
    return failure(invalid('The `after` and `before` parameters cannot be used together.'));
  const mails = store.list();
  const place = mails.findIndex(({ id }) => id === (after ?? before));
  if ((after || before) && place < 0) return failure(invalid('The pagination cursor is no known email.'));
  const from = after ? place + 1 : before ? Math.max(0, place - limit) : 0;
  const to = before ? place : from + limit;
  const data = mails.slice(from, to).map((mail) => {
    const { object, html, text, tags, ...listed } = present(mail);
    return listed;
  });
  return json(200, { object: 'list', has_more: before ? from > 0 : to < mails.length, data });
}

/** `GET /emails/:id`. */
export function getMail(mail: StoredMail | undefined): Answer {
  if (mail) return json(200, present(mail));
  return failure({ statusCode: 404, name: 'not_found', message: 'Email not found' });
}

/** A mail in the shape of the SDK's `GetEmailResponseSuccess`. */
function present(mail: StoredMail) {
  const orNull = (list: string[]) => (list.length > 0 ? list : null);
  return {
    object: 'email',
    id: mail.id,
    message_id: `<${mail.id}@localhost>`,
    to: mail.to,
    from: mail.from,
    created_at: mail.createdAt,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    cc: orNull(mail.cc),
    bcc: orNull(mail.bcc),
    reply_to: orNull(mail.reply_to),
    last_event: 'delivered',
    scheduled_at: null,
    tags: mail.tags,
  };
}
