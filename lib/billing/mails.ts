import { env } from '@/lib/env';
import { writeMail } from '@/lib/mails/write-mail';
import type { PlanType } from '@/lib/plans/limits';
import type { Mail } from '@/lib/services/mail';

/** A payment failed: what happens now, until when, and what to do. */
export function paymentFailedMail(
  user: { email: string; firstName: string },
  plan: PlanType,
  until: Date,
): Promise<Mail> {
  const day = until.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return writeMail(user, 'Your payment did not go through', {
    preview: `Your ${plan} plan is kept until ${day}.`,
    heading: 'Your payment did not go through',
    paragraphs: [
      `The last payment for your ${plan} plan failed. It will be tried again, and your plan is kept until ${day}.`,
      'If your card has changed, please update it. Whatever happens, your journal stays yours: you can always watch, edit, export and delete it.',
    ],
    action: { label: 'Update your card', url: `${env().APP_URL}/settings?tab=billing` },
    footnote: 'You get this mail because a payment for your journal at Daylight failed.',
  });
}
