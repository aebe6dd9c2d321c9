import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { PreferencesForm } from '@/components/account/settings/preferences-form';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { ThemeChoice } from '@/components/shell/theme/theme-choice';
import { Section } from '@/components/ui/section';
import { currentPreferences } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = { title: SETTINGS_PAGES.preferences };

/** Returns the browser's time zone, which it sends in a cookie. */
const browserZone = async () => (await cookies()).get('daylight.zone')?.value;

export default async function PreferencesPage() {
  await requireUser();
  const preferences = await currentPreferences();
  return (
    <>
      <Section title="Appearance" lead="Saved for your account, and remembered in this browser.">
        <div className="max-w-[400px]">
          <ThemeChoice theme={preferences.theme} />
        </div>
      </Section>
      <Section title="Time and dates" lead="Dates you type are always MM/DD/YYYY.">
        <PreferencesForm preferences={preferences} zone={await browserZone()} />
      </Section>
    </>
  );
}
