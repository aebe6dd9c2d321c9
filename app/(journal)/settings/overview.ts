import type { SettingsPage } from '@/components/account/settings/settings-pages';
import { currentPreferences } from '@/lib/account/preferences/current';
import { videoSettings } from '@/lib/account/profile/service';
import { twoFactorState } from '@/lib/account/security/two-factor';
import type { User } from '@/lib/account/sessions/service';
import { planDetails, sitePlan } from '@/lib/billing/plans/service';
import { countTrash } from '@/lib/journal/entries/trash';
import { listHidden } from '@/lib/journal/memories/service';
import { listTags } from '@/lib/journal/tags/service';

const THEME_NAMES = { system: 'System theme', light: 'Light', dark: 'Dark' };

/** Returns what's set on each page of the settings, for the list of them. */
export async function describeSettings(user: User): Promise<Partial<Record<SettingsPage, string>>> {
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
