import { redirect } from 'next/navigation';
import { SettingsNav } from '@/components/account/settings/settings-nav';
import { type SettingsPage as PageName, SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { currentPreferences } from '@/lib/account/preferences/current';
import { videoSettings } from '@/lib/account/profile/service';
import { requireUser } from '@/lib/account/sessions/guards';
import type { User } from '@/lib/account/sessions/service';
import { twoFactorState } from '@/lib/account/two-factor/service';
import { planDetails, sitePlan } from '@/lib/billing/plans/service';
import { countTrash } from '@/lib/journal/entries/trash';
import { listHidden } from '@/lib/journal/memories/service';
import { listTags } from '@/lib/journal/tags/service';
import ProfilePage from './profile/page';

type Props = PageProps<'/settings'>;

/** Returns a page's address with the parameters that it had at its former one, `/settings?tab=…`, or null for others. */
function newAddress({ tab, ...others }: Awaited<Props['searchParams']>): string | null {
  if (typeof tab !== 'string' || !Object.hasOwn(SETTINGS_PAGES, tab)) return null;
  const query = new URLSearchParams(
    Object.entries(others).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  );
  return `/settings/${tab}${query.size > 0 ? `?${query}` : ''}`;
}

const THEME_NAMES = { system: 'System theme', light: 'Light', dark: 'Dark' };

/** Returns what's set on each page of the settings, for the list of them. */
async function describeSettings(user: User): Promise<Partial<Record<PageName, string>>> {
  const [twoFactor, { theme }, tags, hidden, trash, plan] = await Promise.all([
    twoFactorState(user.id),
    currentPreferences(),
    listTags(user.id),
    listHidden(user.id),
    countTrash(user.id),
    planDetails(user.id),
  ]);
  return {
    profile: `${user.firstName} ${user.lastName}`.trim(),
    preferences: THEME_NAMES[theme],
    security: twoFactor.enabled ? 'Two steps on' : 'Password only',
    video: videoSettings().transcriptionLanguage,
    tags: String(tags.length),
    memories: hidden.length > 0 ? `${hidden.length} hidden` : 'None hidden',
    data: 'Export, import, delete',
    trash: String(trash),
    plan: plan.currentPlan,
    billing: sitePlan() ? 'Free' : 'Stripe',
  };
}

/** The list of the settings on phones, and the first of them next to the list on wider windows. */
export default async function SettingsPage({ searchParams }: Props) {
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
