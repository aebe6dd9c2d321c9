import { HiddenMemories } from '@/components/settings/hidden-memories';
import { Section } from '@/components/settings/section';
import { listHidden } from '@/lib/memories/service';
import type { User } from '@/lib/sessions/service';

export async function MemoriesTab({ user }: { user: User }) {
  const memories = await listHidden(user.id);
  return (
    <Section
      title="Memories"
      lead="What you hide on the dashboard no longer comes up in On This Day or Surprise me. It stays in your journal and in search."
    >
      <HiddenMemories memories={memories} />
    </Section>
  );
}
