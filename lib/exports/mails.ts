import { env } from '@/lib/env';
import { renderEmail } from '@/lib/mails/write-mail';
import { formatBytes } from '@/lib/plans/format';
import type { Mail } from '@/lib/services/mail';

/** Says that an archive can be downloaded. Its link requires a session. */
export function exportReadyMail(user: { email: string; firstName: string }, bytes: number): Promise<Mail> {
  return renderEmail(user, 'Your journal is ready to download', {
    preview: 'You can download it for 7 days.',
    heading: 'Your journal is ready',
    paragraphs: [
      `You asked for a copy of your journal. It’s one ZIP file of ${formatBytes(bytes)}. You can download it for 7 days.`,
      'Unzip it and open index.html to watch, read, and search it without an internet connection.',
    ],
    action: { label: 'Download', url: `${env().APP_URL}/settings?tab=data` },
    footnote:
      'You have to be signed in to download it. If you didn’t ask for this, change your password and sign out your other devices in Settings.',
  });
}
