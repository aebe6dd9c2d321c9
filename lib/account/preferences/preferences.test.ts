import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { users } from '@/db/schema/accounts';
import { preferences } from '@/db/schema/preferences';
import { getWeeklyLetter, updateWeeklyLetter } from '@/lib/reminders/service';
import { useFreshDatabase } from '@/test/app-database';
import { makeUser } from '@/test/factories';
import * as contract from './contract';
import { DEFAULT_PREFERENCES, firstWeekdayNumber, getPreferences, updatePreferences } from './service';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useFreshDatabase();
});
afterAll(() => end());

describe('preferences', () => {
  it('have defaults, and change one by one, for their account only', async () => {
    const [owner, other] = [await makeUser(), await makeUser()];
    expect(await getPreferences(owner.id)).toEqual(DEFAULT_PREFERENCES);
    await updatePreferences(owner.id, { theme: 'dark' });
    const changed = { timeZone: 'Asia/Tokyo', firstWeekday: 'monday', dateFormat: 'DD/MM/YYYY' } as const;
    expect(await updatePreferences(owner.id, changed)).toEqual({ theme: 'dark', ...changed });
    expect(await updatePreferences(owner.id, { timeZone: null })).toMatchObject({ timeZone: null });
    expect(await updatePreferences(owner.id, {})).toMatchObject({ theme: 'dark', firstWeekday: 'monday' });
    expect(await getPreferences(other.id)).toEqual(DEFAULT_PREFERENCES);
  });

  it('go with the account', async () => {
    const { id } = await makeUser();
    await updatePreferences(id, { theme: 'light' });
    await db().delete(users).where(eq(users.id, id));
    expect(await db().$count(preferences, eq(preferences.userId, id))).toBe(0);
  });

  it('move the weekly letter to a chosen time zone, if it’s on', async () => {
    const [on, off] = [await makeUser(), await makeUser()];
    await updateWeeklyLetter(on.id, { enabled: true, timeZone: 'America/New_York' });
    await updateWeeklyLetter(off.id, { enabled: false, timeZone: 'America/New_York' });
    for (const { id } of [on, off]) await updatePreferences(id, { timeZone: 'Asia/Kathmandu' });
    expect((await getWeeklyLetter(on.id)).nextAt).toMatch(/T12:15:00.000Z$/);
    expect(await getWeeklyLetter(off.id)).toMatchObject({ enabled: false, timeZone: 'America/New_York' });
    await updatePreferences(on.id, { timeZone: null });
    expect(await getWeeklyLetter(on.id)).toMatchObject({ enabled: true, timeZone: 'Asia/Kathmandu' });
  });

  it.each([
    { theme: 'sepia' },
    { timeZone: 'Mars/Olympus' },
    { firstWeekday: 'friday' },
    { dateFormat: 'YY/M' },
  ])('can’t be %j', (body) => {
    expect(contract.updatePreferences.body.safeParse(body).success).toBe(false);
  });

  it('count weekdays from Sunday', () => {
    const days = ['sunday', 'monday', 'saturday'] as const;
    expect(days.map((firstWeekday) => firstWeekdayNumber({ firstWeekday }))).toEqual([0, 1, 6]);
  });
});
