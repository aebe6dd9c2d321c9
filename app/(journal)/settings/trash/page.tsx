import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { TrashList } from '@/components/journal/trash/trash-list';
import { Section } from '@/components/ui/section';
import { currentPreferences } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';
import { planDetails } from '@/lib/billing/plans/service';
import { listTrash } from '@/lib/journal/entries/trash';

export const metadata: Metadata = { title: SETTINGS_PAGES.trash };

export default async function TrashPage() {
  const user = await requireUser();
  const [trashed, { storageLimit }, { dateFormat }] = await Promise.all([
    listTrash(user.id),
    planDetails(user.id),
    currentPreferences(),
  ]);
  return (
    <Section
      title="Trash"
      lead="Deleted entries stay here for up to 30 days, and don’t count toward your plan’s limits. When the trash is full, the entries that have been here longest are deleted forever to make space."
    >
      <TrashList entries={trashed} limit={storageLimit} dateFormat={dateFormat} />
    </Section>
  );
}
