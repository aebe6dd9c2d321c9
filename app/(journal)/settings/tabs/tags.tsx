import { Section } from '@/components/settings/section';
import { TagSettings } from '@/components/tags/tag-settings';
import type { User } from '@/lib/sessions/service';
import { listTags } from '@/lib/tags/service';

export async function TagsTab({ user }: { user: User }) {
  const tags = await listTags(user.id);
  return (
    <Section title="Tags" lead="Deleting a tag takes it off every entry. Other changes are kept by Sync.">
      <TagSettings tags={tags} />
    </Section>
  );
}
