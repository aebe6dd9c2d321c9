import { createTransport } from 'nodemailer';
import { env } from '@/lib/foundation/env';
import { isLocalHost } from '@/lib/foundation/local-host';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { Mail } from './mail-message';

/**
 * How long one email may take, in milliseconds. Servers look for spam and viruses before they answer a message, and may
 * deliver one whose sender has hung up: giving up early would send it again and again (RFC 5321, 4.5.3.2.6).
 */
export const SMTP_TIMEOUT_MS = 55_000;
const CONNECT_TIMEOUT_MS = 10_000;

interface Timeouts {
  /** For a connection, in milliseconds. */
  connectMs?: number;
  /** For each answer after that, in milliseconds. */
  answerMs?: number;
}

/**
 * Opens no connection yet: each email, and each check, has one of its own, so that none is left open in a function that
 * its host freezes. What nodemailer reads from the query of the address holds, with two defaults: a server elsewhere must
 * encrypt, and the certificate of one on this machine isn't checked.
 */
function smtpTransport(
  url: string,
  { connectMs = CONNECT_TIMEOUT_MS, answerMs = SMTP_TIMEOUT_MS }: Timeouts = {},
) {
  const { hostname, searchParams } = new URL(url);
  const isLocal = isLocalHost(hostname);
  const names = [...searchParams.keys()];
  const saysTls = names.some((name) => name === 'requireTLS' || name === 'ignoreTLS');
  const hasTlsOptions = names.some((name) => name.startsWith('tls.'));
  return createTransport({
    url,
    ...(!isLocal && !saysTls && { requireTLS: true }),
    ...(isLocal && !hasTlsOptions && { tls: { rejectUnauthorized: false } }),
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
    // It would log passwords and emails.
    logger: false,
    debug: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What nodemailer says of a failure. Its message quotes the server, and so the address. */
interface SmtpFailure extends Error {
  code?: string;
  /** The command that the server refused; `API` if nodemailer did. */
  command?: string;
  responseCode?: number;
  /** The server's answer. */
  response?: string;
}

/**
 * An answer to a recipient that's about the sender or the connection, as Postfix gives all of its refusals there: the
 * relay or the sender isn't allowed, or the sender's address is wrong (RFC 3463, 5.7.X, 5.1.7 and 5.1.8).
 */
const ABOUT_SETTINGS = /^\d{3}[ -]5\.(7\.\d+|1\.[78])\b/;

/**
 * Returns whether a server will never take this email. If it refuses the sender, a password, or a connection, someone
 * can still fix the settings.
 */
function isPermanent({ code, command, responseCode = 0, response = '' }: SmtpFailure): boolean {
  if (command === 'API') return code === 'EENVELOPE';
  if (responseCode < 500) return false;
  return command === 'RCPT TO' ? !ABOUT_SETTINGS.test(response) : command === 'DATA';
}

/** Returns the domain of the address in MAIL_FROM (`Name <name@domain>` or `name@domain`), if it has one. */
export function senderDomain(): string | undefined {
  const { MAIL_FROM } = env();
  const address = /<([^<>]+)>\s*$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM;
  return /^[^\s@<>]+@([^\s@<>]+\.[^\s@<>.]+)$/.exec(address.trim())?.[1]?.toLowerCase();
}

/**
 * Sends an email through a server. SMTP knows no idempotency key: if the server's last answer gets lost,
 * the next try sends the email again, with the same Message-ID, by which many servers and readers drop the second one.
 * @throws Error if it fails; `permanent` is true if retrying can't help
 */
export async function sendBySmtp(
  { url, from }: { url: string; from: string },
  id: string,
  { to, subject, html, text, headers = {} }: Mail,
  timeouts: Timeouts = {},
): Promise<void> {
  const domain = senderDomain() ?? 'daylight.invalid';
  try {
    await smtpTransport(url, timeouts).sendMail({
      from,
      // As an object, so that it's one address, whatever is in it.
      to: { name: '', address: to },
      subject,
      html,
      text,
      headers,
      messageId: `<${id}@${domain}>`,
      signal: AbortSignal.timeout(timeouts.answerMs ?? SMTP_TIMEOUT_MS),
    });
  } catch (error) {
    const failure = error as SmtpFailure;
    const facts = [failure.code ?? 'unknown error', failure.command, failure.responseCode];
    const told = facts.filter((fact) => fact !== undefined).join(' ');
    throw Object.assign(withSafeMessage(new Error(`SMTP: ${told}`)), { permanent: isPermanent(failure) });
  }
}

/** Returns what's wrong and what to do, by what nodemailer says of a failure. */
function describe({ code, message, responseCode }: SmtpFailure, host: string): string {
  if (code === 'EAUTH') {
    return `The mail server at ${host} rejected the user name or password in SMTP_URL. Special characters in them must be percent-encoded.`;
  }
  // Node names what's wrong with a certificate only in its message.
  if (code === 'ETLS' || /certificate|altnames|SSL/i.test(message)) {
    return `The mail server at ${host} doesn’t offer a secure connection with a valid certificate. Use smtps:// if it expects TLS from the start, or see SMTP_URL in .env.example for exceptions.`;
  }
  if (code === 'EDNS') return `There’s no mail server named ${host}. Fix SMTP_URL.`;
  if (responseCode) return `The mail server at ${host} refused the connection with status ${responseCode}.`;
  return `The mail server at ${host} isn’t responding. Start it, or fix the address and port in SMTP_URL. Some hosts block port 25: use 587 or 465.`;
}

/** Returns why emails wouldn't be sent through a server, in sentences for the operator. Connects, and sends none. */
export async function findSmtpProblems(url: string, timeoutMs: number): Promise<string[]> {
  try {
    await smtpTransport(url, { connectMs: timeoutMs, answerMs: timeoutMs }).verify();
    return [];
  } catch (error) {
    return [describe(error as SmtpFailure, new URL(url).host)];
  }
}
