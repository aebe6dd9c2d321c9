import { redirect } from 'next/navigation';
import { SettingsNav } from '@/components/account/settings/settings-nav';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { requireUser } from '@/lib/account/sessions/guards';
import { describeSettings } from './overview';
import ProfilePage from './profile/page';

type SearchParams = Record<string, string | string[] | undefined>;

/** Returns a page's address with the parameters that it had at its former one, `/settings?tab=…`, or null for others. */
function newAddress({ tab, ...others }: SearchParams): string | null {
  if (typeof tab !== 'string' || !Object.hasOwn(SETTINGS_PAGES, tab)) return null;
  const query = new URLSearchParams(
    Object.entries(others).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  );
  return `/settings/${tab}${query.size > 0 ? `?${query}` : ''}`;
}

/** The list of the settings on phones, and the first of them next to the list on wider windows. */
export default async function SettingsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const address = newAddress(await searchParams);
  // Emails still have it.
  if (address) redirect(address);
  const user = await requireUser();
  return (
    <>
      <div id="settings-list" className="md:hidden">
        <SettingsNav values={await describeSettings(user)} />
      </div>
      <div className="flex flex-col gap-9 max-md:hidden">
        <ProfilePage />
      </div>
    </>
  );
}
