import { eq } from 'drizzle-orm';
import type { Transaction } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import { enqueueMail } from '@/lib/messaging/outbox/service';

type Recipient = Parameters<typeof renderEmail>[0];

/** Sends an email to an archive's owner, unless the account is gone. */
export async function mailOwner(
  tx: Transaction,
  userId: string,
  write: (user: Recipient) => Promise<Mail>,
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (user) await enqueueMail(tx, await write(user));
}

/** Says that an archive couldn't be prepared. */
export function exportFailedMail(user: Recipient): Promise<Mail> {
  return renderEmail(user, 'We couldn’t prepare your download', {
    preview: 'Your journal is safe.',
    heading: 'We couldn’t prepare your download',
    paragraphs: [
      'You asked for a copy of your journal, but something went wrong on our end. Your journal is safe.',
      'Try again in Settings, in the Your Data tab. If it fails again, contact us.',
    ],
    action: { label: 'Try again', url: `${env().APP_URL}/settings/data` },
    footnote: 'If you didn’t ask for this, change your password and sign out your other devices in Settings.',
  });
}

/** Says that an archive can be downloaded. Its link requires a session. */
export function exportReadyMail(user: Recipient, bytes: number): Promise<Mail> {
  return renderEmail(user, 'Your journal is ready to download', {
    preview: 'You can download it for 7 days.',
    heading: 'Your journal is ready',
    paragraphs: [
      `You asked for a copy of your journal. It’s one ZIP file of ${formatBytes(bytes)}. You can download it for 7 days.`,
      'Unzip it and open index.html to watch, read, and search it without an internet connection.',
    ],
    action: { label: 'Download', url: `${env().APP_URL}/settings/data` },
    footnote:
      'You have to be signed in to download it. If you didn’t ask for this, change your password and sign out your other devices in Settings.',
  });
}
