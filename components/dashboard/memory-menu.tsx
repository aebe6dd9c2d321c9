'use client';

import { EyeOff } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { errorMessage } from '@/components/ui/error-message';
import { Menu, MenuItem } from '@/components/ui/menu';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import { toUs } from '@/lib/entries/calendar';
import type { EntrySummary } from '@/lib/entries/contract';
import type { HiddenMemory } from '@/lib/memories/contract';
import { MEMORIES_HEADING_ID } from './memories-heading-id';

const showError = (error: unknown) => toast.error(errorMessage(error));

/** Leaves a memory out of On This Day: alone, with all that have one of its tags, or with its date. */
export function MemoryMenu({ entry }: { entry: EntrySummary }) {
  const router = useRouter();

  async function hide(what: { entryId: string } | { tagId: string } | { date: object }, done: string) {
    try {
      const { id } = await api<HiddenMemory>('POST', '/memories/hidden', { body: what });
      document.getElementById(MEMORIES_HEADING_ID)?.focus();
      router.refresh();
      const undo = () =>
        api('DELETE', `/memories/hidden/${id}`).then(
          () => router.refresh(),
          (error: unknown) => showError(error),
        );
      toast.success(`${done} hidden from On This Day.`, { label: 'Undo', onPress: () => void undo() });
    } catch (error) {
      showError(error);
    }
  }

  const { id, title, date, tags } = entry;
  return (
    <Menu label={`Hide “${title}”`} icon={<EyeOff className="size-5" aria-hidden="true" />}>
      <MenuItem onSelect={() => void hide({ entryId: id }, `“${title}” is`)}>Hide this entry</MenuItem>
      {tags.map((tag) => (
        <MenuItem
          key={tag.id}
          onSelect={() => void hide({ tagId: tag.id }, `Entries tagged ${tag.name} are`)}
        >
          <span className="max-w-60 truncate">Hide entries tagged {tag.name}</span>
        </MenuItem>
      ))}
      <MenuItem onSelect={() => void hide({ date }, `Entries of ${toUs(date)} are`)}>Hide this date</MenuItem>
    </Menu>
  );
}
