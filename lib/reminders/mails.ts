import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { promptOfDay, studioHref } from '@/lib/journal/shared/prompts';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import { type UnsubscribeLinks, unsubscribeHeaders } from './links';

interface Reminded {
  email: string;
  firstName: string;
  /** The date it's about, `YYYY-MM-DD`. */
  day: string;
  /** When it's too late to send it. */
  expiresAt: Date;
}

/** Asks the question of the day. */
export async function reminderMail(
  { day, expiresAt, ...to }: Reminded,
  links: UnsubscribeLinks,
): Promise<Mail> {
  const question = promptOfDay(day);
  const mail = await renderEmail(to, question, {
    preview: 'A minute or two is enough.',
    heading: question,
    paragraphs: ['Take a minute or two and answer on video. Or talk about anything else.'],
    action: { label: 'Record today', url: `${env().APP_URL}${studioHref(question)}` },
    footnote: 'You asked for this email once a day. You won’t get one on days you’ve already recorded.',
    footnoteLink: { label: 'Turn off these reminders', url: links.page },
  });
  return {
    ...mail,
    expiresAt: expiresAt.toISOString(),
    headers: unsubscribeHeaders(links),
  };
}
