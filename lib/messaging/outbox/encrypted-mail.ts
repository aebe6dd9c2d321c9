import type { Mail } from '@/lib/clients/mail-message';
import { decrypt, encrypt } from '@/lib/foundation/encryption';

const PURPOSE = 'daylight outbox';
/** How long an encrypted mail can be read, in seconds. */
export const MAIL_SECONDS = 30 * 24 * 3600;

/** Too old, or encrypted with an `AUTH_SECRET` that is no longer listed: it's kept, but never tried again. */
class UnreadableMail extends Error {
  readonly permanent = true;

  constructor() {
    super('no AUTH_SECRET decrypts this mail');
  }
}

/** Encrypts a mail the way the outbox keeps it, because its links open an account. */
export function encryptMail(mail: Mail): Promise<string> {
  return encrypt({ mail }, { purpose: PURPOSE, seconds: MAIL_SECONDS });
}

/** Returns the mail that was sealed. @throws UnreadableMail */
export async function decryptMail(sealed: string): Promise<Mail> {
  const opened = await decrypt(sealed, { purpose: PURPOSE });
  if (!opened) throw new UnreadableMail();
  return opened.claims.mail as Mail;
}
