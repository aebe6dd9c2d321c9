import { cookies } from 'next/headers';
import { cache } from 'react';
import { getCurrentUser } from '@/lib/account/sessions/guards';
import { log } from '@/lib/foundation/log';
import { type Preferences, THEMES, type Theme } from './contract';
import { DEFAULT_PREFERENCES, getPreferences } from './service';

/** Returns the signed-in user's preferences. Looked up once per request. Never fails: a page can do without. */
export const currentPreferences = cache(async (): Promise<Preferences> => {
  const user = await getCurrentUser();
  if (!user) return DEFAULT_PREFERENCES;
  return getPreferences(user.id).catch((error: unknown) => {
    log.error({ err: error }, 'failed to read the preferences');
    return DEFAULT_PREFERENCES;
  });
});

/** Returns the time zone where the person is: the chosen one, or the browser's, which it sends in a cookie. */
export async function currentTimeZone(): Promise<string | undefined> {
  const { timeZone } = await currentPreferences();
  return timeZone ?? (await cookies()).get('daylight.zone')?.value;
}

/**
 * Returns the theme to render: the account's or, for visitors, the one that was last used in this browser. Undefined if
 * none was, as in the page that the service worker caches, which is the same for everybody.
 */
export async function currentTheme(): Promise<Theme | undefined> {
  if (await getCurrentUser()) return (await currentPreferences()).theme;
  const saved = (await cookies()).get('daylight.theme')?.value;
  return THEMES.find((theme) => theme === saved);
}
