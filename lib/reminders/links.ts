import { decrypt, encrypt } from '@/lib/foundation/encryption';
import { env } from '@/lib/foundation/env';

const PURPOSE = 'daylight reminder';
/** The emails that people have turned on, and can turn off from each one. */
export type Subscription = 'reminder' | 'letter';

/** How long the links in one work, in seconds: a year, since people unsubscribe from old emails, too. */
const LIFETIME = 365 * 24 * 3600;

/** The two addresses in an email that turn its kind off. */
export interface UnsubscribeLinks {
  /** A page with a button. */
  page: string;
  /** What mail programs post to; it leads to the page otherwise (RFC 8058). */
  oneClick: string;
}

/** Returns the page that turns reminders or letters off, as a path. */
export const unsubscribePath = (token: string): string => `/reminders/off/${encodeURIComponent(token)}`;

/** Creates the links that turn one kind of email off for one account, and do nothing else. */
export async function createUnsubscribeLinks(
  userId: string,
  subscription: Subscription,
): Promise<UnsubscribeLinks> {
  const { APP_URL } = env();
  const token = await encrypt({ userId, subscription }, { purpose: PURPOSE, seconds: LIFETIME });
  return {
    page: APP_URL + unsubscribePath(token),
    oneClick: `${APP_URL}/api/v1/reminder/unsubscribe/${token}`,
  };
}

/** Returns the headers that let mail programs unsubscribe by one click (RFC 8058). */
export const unsubscribeHeaders = ({ oneClick }: UnsubscribeLinks): Record<string, string> => ({
  'List-Unsubscribe': `<${oneClick}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Returns what a link turns off and for which account, or null if the link isn't valid or has expired. */
export async function readUnsubscribeToken(
  token: string,
): Promise<{ userId: string; subscription: Subscription } | null> {
  const opened = await decrypt(token, { purpose: PURPOSE });
  return (opened?.claims as { userId: string; subscription: Subscription } | undefined) ?? null;
}
