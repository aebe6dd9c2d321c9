import { decrypt, encrypt } from '@/lib/encryption';
import { env } from '@/lib/env';

const PURPOSE = 'daylight reminder';
/** How long the links in a reminder work, in seconds: a year, since people unsubscribe from old emails, too. */
const LIFETIME = 365 * 24 * 3600;

/** The two addresses in a reminder that turn reminders off. */
export interface UnsubscribeLinks {
  /** A page with a button. */
  page: string;
  /** What mail programs post to; it leads to the page otherwise (RFC 8058). */
  oneClick: string;
}

/** Returns the page that turns reminders off, as a path. */
export const unsubscribePath = (token: string): string => `/reminders/off/${encodeURIComponent(token)}`;

/** Creates the links that turn one account's reminders off, and do nothing else. */
export async function createUnsubscribeLinks(userId: string): Promise<UnsubscribeLinks> {
  const { APP_URL } = env();
  const token = await encrypt({ userId }, { purpose: PURPOSE, seconds: LIFETIME });
  return {
    page: APP_URL + unsubscribePath(token),
    oneClick: `${APP_URL}/api/v1/reminder/unsubscribe/${token}`,
  };
}

/** Returns the account whose reminders a link turns off, or null if the link isn't valid or has expired. */
export async function readUnsubscribeToken(token: string): Promise<string | null> {
  const opened = await decrypt(token, { purpose: PURPOSE });
  return typeof opened?.claims.userId === 'string' ? opened.claims.userId : null;
}
