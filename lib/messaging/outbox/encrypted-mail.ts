import type { Mail } from '@/lib/clients/mail-message';
import { decrypt, encrypt } from '@/lib/foundation/encryption';

const PURPOSE = 'daylight outbox';
/** How long an encrypted mail can be read, in seconds. */
export const MAIL_SECONDS = 30 * 24 * 3600;

/** Encrypts a mail the way the outbox keeps it, because its links open an account. */
export function encryptMail(mail: Mail): Promise<string> {
  return encrypt({ mail }, { purpose: PURPOSE, seconds: MAIL_SECONDS });
}

/**
 * Decrypts a mail of the outbox.
 * @throws a permanent Error if it's too old, or encrypted with an `AUTH_SECRET` that's no longer listed: then it's kept, but
 * never tried again
 */
export async function decryptMail(sealed: string): Promise<Mail> {
  const opened = await decrypt(sealed, { purpose: PURPOSE });
  if (!opened) throw Object.assign(new Error('no AUTH_SECRET decrypts this mail'), { permanent: true });
  return opened.claims.mail as Mail;
}
