import { undoNotice } from '@/lib/account/security/notices';
import { queuedEmails } from './app-database';

/** The two parts of the link in the newest waiting security email to an address with this subject. */
export async function latestNoticeLink(to: string, subject: string): Promise<{ uid: string; token: string }> {
  const mail = (await queuedEmails(to)).findLast((one) => one.subject === subject);
  const [, uid, token] = /\/security_notice\/([\w-]+)\/([\w-]+)\//.exec(mail?.text ?? '') ?? [];
  if (!uid || !token) throw new Error(`No email “${subject}” waits for ${to}.`);
  return { uid, token };
}

/** Uses the link in the newest waiting security email to an address with this subject. */
export async function undoLatestNotice(to: string, subject: string): Promise<void> {
  const { uid, token } = await latestNoticeLink(to, subject);
  await undoNotice(uid, token);
}
