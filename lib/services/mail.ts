import { Resend } from 'resend';
import { env } from '@/lib/env';
import { withSafeMessage } from '@/lib/safe-error';

export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** Shorter than the time the outbox gives a sender for one email. */
const TIMEOUT_MS = 7000;

let client: Resend | undefined;

/**
 * Sends an email through Resend. Sending the same `id` twice within 24 hours sends one email (Resend's
 * Idempotency-Key).
 * @throws Error if Resend rejects it; `permanent` is true if retrying can't help
 */
export async function sendMail(id: string, mail: Mail): Promise<void> {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  client ??= new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : {});
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { error } = await client.emails.send({ from: MAIL_FROM, ...mail }, { idempotencyKey: id, signal });
  if (!error) return;
  const permanent = error.name === 'validation_error' || error.name === 'invalid_idempotent_request';
  throw Object.assign(withSafeMessage(new Error(`Resend: ${error.name}`)), { permanent });
}
