import { Resend } from 'resend';
import { z } from 'zod';
import { env } from '@/lib/foundation/env';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { Mail } from './mail-message';
import { findSmtpProblems, SMTP_TIMEOUT_MS, sendBySmtp, senderDomain } from './smtp';

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

const RESEND = 'https://api.resend.com';

const refusal = z.object({ name: z.string() });
const domainList = z.object({ data: z.array(z.object({ name: z.string(), status: z.string() })) });

async function read(path: string, timeoutMs: number): Promise<{ status: number; body: unknown }> {
  const { RESEND_API_KEY, RESEND_BASE_URL } = env();
  const response = await fetch(`${RESEND_BASE_URL ?? RESEND}${path}`, {
    headers: { authorization: `Bearer ${RESEND_API_KEY}` },
    signal: AbortSignal.timeout(timeoutMs),
    cache: 'no-store',
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

/** Returns why emails wouldn't be sent, in sentences for the operator. Sends none. */
export async function findMailProblems(timeoutMs: number): Promise<string[]> {
  const domain = senderDomain();
  if (!domain)
    return ['MAIL_FROM doesn’t have an email address. Use a value like “Daylight <hello@example.com>”.'];
  const { SMTP_URL } = env();
  return SMTP_URL ? findSmtpProblems(SMTP_URL, timeoutMs) : findResendProblems(domain, timeoutMs);
}

async function findResendProblems(domain: string, timeoutMs: number): Promise<string[]> {
  try {
    const { status, body } = await read('/emails?limit=1', timeoutMs);
    // Valid, but only for sending: the domains can't be read either.
    if (refusal.safeParse(body).data?.name === 'restricted_api_key') return [];
    if (status === 401 || status === 403) {
      return ['Resend rejected RESEND_API_KEY. Create a new key in Resend’s dashboard.'];
    }
    if (status >= 500) return [`Resend isn’t accepting emails: it responded with status ${status}.`];
    const domains = domainList.safeParse((await read('/domains', timeoutMs)).body).data?.data;
    const isVerified = domains?.some(({ name, status: is }) => is === 'verified' && domain === name);
    if (!domains || isVerified || domain === 'resend.dev') return [];
    return [`The domain in MAIL_FROM, ${domain}, isn’t verified. Verify it in Resend’s dashboard.`];
  } catch {
    const { RESEND_BASE_URL } = env();
    const advice = RESEND_BASE_URL
      ? 'Start it, or fix RESEND_BASE_URL.'
      : 'Check this server’s internet connection.';
    return [`Resend isn’t responding. ${advice}`];
  }
}
