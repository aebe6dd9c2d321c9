import type { Mail } from '@/lib/clients/mail-message';
import { env } from '@/lib/foundation/env';
import { renderEmail } from '@/lib/messaging/mails/write-mail';
import { describeContents } from './describe-contents';
import { type Receipt, signReceipt } from './receipt';

const list = new Intl.ListFormat('en-US');

/** Tells the local mailbox to delete the earlier emails to this address. Elsewhere it's a label. */
const ERASED_TAG = { name: 'account', value: 'erased' };

/** Says what became of the subscription and the customer at Stripe, as far as there were any. */
function aboutStripe({ stripeCustomers, subscriptions }: Receipt['erased']): string[] {
  if (stripeCustomers === 0) return [];
  const ended = subscriptions > 0 ? 'Your subscription has ended. ' : '';
  return [`${ended}Your details at Stripe are deleted. Stripe keeps only what its accounting needs.`];
}

/** Says what was erased, and carries the signed receipt. Nothing of the account is left to greet its owner by. */
export async function erasedMail(email: string, receipt: Receipt): Promise<Mail> {
  const erased = describeContents(receipt.erased);
  const subject = 'Your account has been deleted';
  const mail = await renderEmail({ email }, subject, {
    preview: 'Everything in it is gone. This is your receipt.',
    heading: subject,
    paragraphs: [
      `Your Daylight account is gone, and so is everything in it${erased.length > 0 ? `: ${list.format(erased)}` : ''}. We also deleted your name, your email address, every way you signed in, your prepared downloads, and your security history.`,
      ...aboutStripe(receipt.erased),
      'Here’s a signed receipt. It says how much was deleted and when, and nothing about what was in your journal.',
    ],
    code: signReceipt(receipt),
    footnote: `Check the signature with the keys at ${env().APP_URL}/api/v1/deletion_receipt_keys. This is our last email to you.`,
  });
  return { ...mail, tags: [ERASED_TAG] };
}
