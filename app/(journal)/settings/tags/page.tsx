import type { Metadata } from 'next';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { TagSettings } from '@/components/journal/tags/tag-settings';
import { Section } from '@/components/ui/section';
import { requireUser } from '@/lib/account/sessions/guards';
import { listTags } from '@/lib/journal/tags/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.tags };

export default async function TagsPage() {
  const user = await requireUser();
  return (
    <Section
      title="Tags"
      lead="Select Sync to save changes to names and colors. Deleting a tag removes it from every entry."
    >
      <TagSettings tags={await listTags(user.id)} />
    </Section>
  );
}
