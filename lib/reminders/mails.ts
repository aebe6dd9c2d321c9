import { formatSpan } from '@/lib/billing/plans/shared/format';
import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { toIso } from '@/lib/journal/entries/shared/calendar';
import { studioHref } from '@/lib/journal/shared/prompts';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import { type UnsubscribeLinks, unsubscribeHeaders } from './links';
import type { Week } from './week';

interface Recipient {
  email: string;
  firstName: string;
  /** What to ask. */
  question: string;
}

/** Asks a question. @param expiresAt when it's too late to send it */
export async function reminderMail(
  { question, expiresAt, ...to }: Recipient & { expiresAt: Date },
  links: UnsubscribeLinks,
): Promise<Mail> {
  const mail = await renderEmail(to, question, {
    preview: 'A minute or two is enough.',
    paragraphs: ['Take a minute or two and answer on video. Or talk about anything else.'],
    action: { label: 'Record today', url: `${env().APP_URL}${studioHref(question)}` },
    footnote: 'You asked for this email once a day. You won’t get one on days you’ve already recorded.',
    footnoteLink: { label: 'Turn off these reminders', url: links.page },
  });
  return { ...mail, expiresAt: expiresAt.toISOString(), headers: unsubscribeHeaders(links) };
}

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

const NUMBERS = ['', 'one sentence', 'two sentences', 'three sentences'];

/**
 * Quotes the week's best sentences, each with a link to its moment, and asks a question for the next week. Call it only
 * when it's sent right away: it's the one email with a person's own words in it, and they're stored nowhere else.
 */
export async function letterMail(
  { question, ...to }: Recipient,
  week: Week,
  links: UnsubscribeLinks,
): Promise<Mail> {
  const { APP_URL } = env();
  const count = week.entries === 1 ? 'one entry' : `${week.entries} entries`;
  const title = `Your week in ${NUMBERS[week.quotations.length] ?? 'a few sentences'}`;
  const mail = await renderEmail(to, title, {
    preview: `You recorded ${formatSpan(week.seconds)} this week.`,
    paragraphs: [
      `You recorded ${count} this week, ${formatSpan(week.seconds)} in all. This is what you said.`,
    ],
    quotations: week.quotations.map(({ entryId, date, question: answered, text, start }) => ({
      label: [weekday.format(Date.parse(toIso(date))), answered].filter(Boolean).join(' · '),
      text,
      url: `${APP_URL}/entry/${entryId}?t=${Math.floor(start)}`,
    })),
    closing: `A question for next week: ${question}`,
    action: { label: 'Record an answer', url: `${APP_URL}${studioHref(question)}` },
    footnote: 'You asked for this letter once a week. Anyone who can read your email can read it.',
    footnoteLink: { label: 'Turn off the weekly letter', url: links.page },
  });
  return { ...mail, headers: unsubscribeHeaders(links) };
}
