import { Section } from '@/components/settings/section';
import { TrashList } from '@/components/trash/trash-list';
import { listTrash } from '@/lib/entries/trash';
import type { User } from '@/lib/sessions/service';

export async function TrashTab({ user }: { user: User }) {
  const entries = await listTrash(user.id);
  return (
    <Section
      title="Trash"
      lead="What you delete waits here for 30 days. It does not count against your plan."
    >
      <TrashList entries={entries} />
    </Section>
  );
}
