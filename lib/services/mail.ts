import { Resend } from 'resend';
import { env } from '@/lib/env';
import { withSafeMessage } from '@/lib/safe-error';

export interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** Shorter than the outbox leaves a mail to its sender. */
const TIMEOUT_MS = 7000;

let client: Resend | undefined;

/**
 * Sends a mail through Resend. The same `id` sent twice within 24 hours is one mail (Resend's Idempotency-Key).
 * @throws Error when Resend does not take it; `permanent` is true where trying again cannot help
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
