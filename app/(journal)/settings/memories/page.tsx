import type { Metadata } from 'next';
import { HiddenMemories } from '@/components/account/settings/hidden-memories';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { Section } from '@/components/ui/section';
import { currentPreferences } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';
import { listHidden } from '@/lib/journal/memories/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.memories };

export default async function MemoriesPage() {
  const user = await requireUser();
  const { dateFormat } = await currentPreferences();
  return (
    <Section
      title="Memories"
      lead="Anything you hide on the dashboard stops appearing in On This Day and Surprise me. It stays in your journal and in search."
    >
      <HiddenMemories memories={await listHidden(user.id)} dateFormat={dateFormat} />
    </Section>
  );
}
