import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { EmailStore, StoredEmail } from './store';
import { parseEmail, type ResendError, validationError } from './validate';

/** Far more than a mail without attachments needs. Bytes. */
const maxBodyBytes = 5 * 1024 * 1024;

/** An answer to be sent; `policy` is its Content-Security-Policy. */
export type HttpResponse = { status: number; type: string; body: string; contentSecurityPolicy?: string };

export function jsonResponse(status: number, body: unknown): HttpResponse {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** An error in Resend's shape. */
export function errorResponse(error: ResendError): HttpResponse {
  return jsonResponse(error.statusCode, error);
}

/** Checks the bearer key; answers what is wrong with it. */
export function checkApiKey(request: IncomingMessage, apiKey: string): ResendError | undefined {
  const given = request.headers.authorization;
  if (!given) return { statusCode: 401, name: 'missing_api_key', message: 'Missing API Key' };
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(given), digest(`Bearer ${apiKey}`))) return undefined;
  return { statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' };
}

/** `POST /emails`. */
export async function sendEmail(request: IncomingMessage, store: EmailStore): Promise<HttpResponse> {
  const key = request.headers['idempotency-key']?.toString() ?? null;
  if (key !== null && (key.length < 1 || key.length > 256)) {
    return errorResponse({
      statusCode: 400,
      name: 'invalid_idempotency_key',
      message: 'The idempotency key must be between 1-256 chars.',
    });
  }
  const body = await readBody(request);
  if (body === undefined) {
    return errorResponse({ statusCode: 413, name: 'validation_error', message: 'The email is too large.' });
  }
  const mail = parseEmail(parseJson(body));
  if ('statusCode' in mail) return errorResponse(mail);
  const kept = await store.add(mail, key);
  if (kept === 'different_body') {
    return errorResponse({
      statusCode: 409,
      name: 'invalid_idempotent_request',
      message: 'This idempotency key has been used with a different payload in the last 24 hours.',
    });
  }
  return jsonResponse(200, { id: kept.id });
}

/** The body as text, or nothing when it is too large; what is too much is read and dropped. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `GET /emails` with Resend's pagination: `after` an id come older mails, `before` it newer ones, 20 unless `limit` says. */
export function listEmails(store: EmailStore, parameters: URLSearchParams): HttpResponse {
  const limit = Number(parameters.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return errorResponse(validationError('The pagination limit must be a number between 1 and 100.'));
  }
  const [after, before] = [parameters.get('after'), parameters.get('before')];
  if (after && before)
    return errorResponse(validationError('The `after` and `before` parameters cannot be used together.'));
  const mails = store.list();
  const place = mails.findIndex(({ id }) => id === (after ?? before));
  if ((after || before) && place < 0)
    return errorResponse(validationError('The pagination cursor is no known email.'));
  const from = after ? place + 1 : before ? Math.max(0, place - limit) : 0;
  const to = before ? place : from + limit;
  const data = mails.slice(from, to).map((mail) => {
    const { object, html, text, tags, ...listed } = presentEmail(mail);
    return listed;
  });
  return jsonResponse(200, { object: 'list', has_more: before ? from > 0 : to < mails.length, data });
}

/** `GET /emails/:id`. */
export function getEmail(mail: StoredEmail | undefined): HttpResponse {
  if (mail) return jsonResponse(200, presentEmail(mail));
  return errorResponse({ statusCode: 404, name: 'not_found', message: 'Email not found' });
}

/** A mail in the shape of the SDK's `GetEmailResponseSuccess`. */
function presentEmail(mail: StoredEmail) {
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
