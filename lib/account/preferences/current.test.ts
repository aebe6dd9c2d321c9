import { afterAll, beforeAll, expect, it } from 'vitest';
import { cookieNames } from '@/lib/foundation/http/cookies';
import { useFreshDatabase } from '@/test/app-database';
import { createAccount, signInUser } from '@/test/auth-fixtures';
import { createRouteBrowser } from '@/test/route-browser';
import { currentTheme, currentTimeZone } from './current';
import { updatePreferences } from './service';

let takeDown: () => Promise<void>;
beforeAll(async () => {
  takeDown = await useFreshDatabase();
});
afterAll(() => takeDown());

const page = {
  GET: async () => Response.json({ theme: await currentTheme(), timeZone: await currentTimeZone() }),
};

/** Opens a page with what this browser was last told. */
async function open(browser: ReturnType<typeof createRouteBrowser>, theme: string, zone: string) {
  browser.jar.set('daylight.theme', theme);
  browser.jar.set('daylight.zone', zone);
  return (await browser.send(page, 'GET', '/')).json;
}

it('takes a visitor’s theme and time zone from the browser', async () => {
  const browser = createRouteBrowser();
  expect((await browser.send(page, 'GET', '/')).json).toEqual({});
  expect(await open(browser, 'dark', 'Asia/Tokyo')).toEqual({ theme: 'dark', timeZone: 'Asia/Tokyo' });
  expect(await open(browser, 'pink', 'Asia/Tokyo')).toEqual({ timeZone: 'Asia/Tokyo' });
});

it('takes an owner’s from the account, whatever the browser says', async () => {
  const id = await createAccount();
  const browser = createRouteBrowser();
  browser.jar.set(cookieNames().access, (await signInUser(id)).tokens.access);
  expect(await open(browser, 'dark', 'Asia/Tokyo')).toEqual({ theme: 'system', timeZone: 'Asia/Tokyo' });
  await updatePreferences(id, { theme: 'light', timeZone: 'Europe/Lisbon' });
  expect(await open(browser, 'dark', 'Asia/Tokyo')).toEqual({ theme: 'light', timeZone: 'Europe/Lisbon' });
});
