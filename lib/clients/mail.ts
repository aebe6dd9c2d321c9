import { Resend } from 'resend';
import { env } from '@/lib/foundation/env';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { Mail } from './mail-message';
import { SMTP_TIMEOUT_MS, sendBySmtp } from './smtp';

const RESEND_TIMEOUT_MS = 7000;

/** Returns how long one email may take, in milliseconds. */
export const mailTimeoutMs = (): number => (env().SMTP_URL ? SMTP_TIMEOUT_MS : RESEND_TIMEOUT_MS);

let client: Resend | undefined;

/**
 * Sends an email, through the server in SMTP_URL or else through Resend.
 * @param id where it's the same, so is the email: Resend sends one within 24 hours (its Idempotency-Key)
 * @throws Error if it isn't taken; `permanent` is true if retrying can't help
 */
export function sendMail(id: string, mail: Mail): Promise<void> {
  const { SMTP_URL, MAIL_FROM } = env();
  return SMTP_URL ? sendBySmtp({ url: SMTP_URL, from: MAIL_FROM }, id, mail) : sendByResend(id, mail);
}

async function sendByResend(id: string, { expiresAt, ...mail }: Mail): Promise<void> {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  client ??= new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : {});
  const signal = AbortSignal.timeout(RESEND_TIMEOUT_MS);
  const { error } = await client.emails.send({ from: MAIL_FROM, ...mail }, { idempotencyKey: id, signal });
  if (!error) return;
  const permanent = error.name === 'validation_error' || error.name === 'invalid_idempotent_request';
  throw Object.assign(withSafeMessage(new Error(`Resend: ${error.name}`)), { permanent });
}
