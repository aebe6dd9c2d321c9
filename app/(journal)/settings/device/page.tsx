import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { ThisDevice } from '@/components/account/settings/this-device';
import { currentPreferences } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';

export const metadata: Metadata = { title: SETTINGS_PAGES.device };

export default async function ThisDevicePage() {
  const user = await requireUser();
  return <ThisDevice owner={user.id} dateFormat={(await currentPreferences()).dateFormat} />;
}
