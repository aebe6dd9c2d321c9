import type { PlanType } from '@/lib/billing/plans/shared/limits';
import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from '@/lib/messaging/mails/write-mail';

/**
 * Says that a payment failed, what happens until when, and what to do about it.
 * @param plan what the payment was for
 */
export function paymentFailedMail(
  user: { email: string; firstName: string; grantedPlan: PlanType | null },
  plan: PlanType,
  until: Date,
): Promise<Mail> {
  const day = until.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const given = user.grantedPlan;
  const outcome = given
    ? `Your ${given} plan doesn’t depend on it.`
    : `Your ${plan} plan stays active until ${day}.`;
  return renderEmail(user, 'Your payment didn’t go through', {
    preview: outcome,
    heading: 'Your payment didn’t go through',
    paragraphs: [
      given
        ? `The last payment for your ${plan} subscription failed, and we’ll try again. ${outcome} If you don’t need the subscription anymore, cancel it.`
        : `The last payment for your ${plan} plan failed. We’ll try again, and your plan stays active until ${day}.`,
      'If your card has changed, update it. Whatever happens, your journal stays yours: you can always watch, edit, export, and delete it.',
    ],
    action: { label: 'Update your card', url: `${env().APP_URL}/settings/billing` },
    footnote: 'You’re getting this email because a payment for your Daylight journal failed.',
  });
}
