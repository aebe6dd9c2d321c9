import type { IncomingMessage } from 'node:http';
import { hasApiKey, jsonReply, type Reply, readBody } from '../loopback-server';
import type { EmailStore, StoredEmail } from './store';
import { parseEmail, type ResendError, validationError } from './validate';

/** Far more than an email without attachments needs. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

export const errorReply = (error: ResendError): Reply => jsonReply(error.statusCode, error);

/** Checks the API key. Returns the error, if any. */
export function checkApiKey(request: IncomingMessage, apiKey: string): ResendError | undefined {
  if (hasApiKey(request, apiKey)) return undefined;
  return { statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' };
}

/** `POST /emails`. */
export async function sendEmail(request: IncomingMessage, store: EmailStore): Promise<Reply> {
  const key = request.headers['idempotency-key']?.toString() ?? null;
  const mail = parseEmail(parseJson(await readBody(request, MAX_BODY_BYTES)));
  if ('statusCode' in mail) return errorReply(mail);
  const stored = await store.add(mail, key);
  if (stored === 'different_body') {
    return errorReply({
      statusCode: 409,
      name: 'invalid_idempotent_request',
      message: 'This idempotency key has been used with a different payload in the last 24 hours.',
    });
  }
  return jsonReply(200, { id: stored.id });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `GET /emails`, newest first: `limit` emails (20 by default) that are older than `after`. */
export function listEmails(store: EmailStore, parameters: URLSearchParams): Reply {
  const unknown = [...parameters.keys()].find((name) => name !== 'limit' && name !== 'after');
  if (unknown) return errorReply(validationError(`The local mailbox doesn't support \`${unknown}\`.`));
  const limit = Number(parameters.get('limit') ?? 20);
  const after = parameters.get('after');
  const mails = store.list();
  const from = mails.findIndex(({ id }) => id === after) + 1;
  if (after && from === 0) return errorReply(validationError("The pagination cursor isn't a known email."));
  const data = mails.slice(from, from + limit).map((mail) => {
    const { object, html, text, ...listed } = serializeEmail(mail);
    return listed;
  });
  return jsonReply(200, { object: 'list', has_more: from + limit < mails.length, data });
}

/** `GET /emails/:id`. */
export function getEmail(mail: StoredEmail | undefined): Reply {
  if (mail) return jsonReply(200, serializeEmail(mail));
  return errorReply({ statusCode: 404, name: 'not_found', message: 'Email not found' });
}

/** Returns an email with the fields of the SDK's `GetEmailResponseSuccess` that are implemented. */
function serializeEmail(mail: StoredEmail) {
  return {
    object: 'email',
    id: mail.id,
    to: mail.to,
    from: mail.from,
    created_at: mail.createdAt,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    last_event: 'delivered',
  };
}
