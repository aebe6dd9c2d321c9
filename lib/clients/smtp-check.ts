import { type SmtpFailure, smtpTransport } from './smtp';

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
