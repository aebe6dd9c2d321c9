import { EyeOff } from 'lucide';
import { useRouter } from 'next/navigation';
import { useFormatDate } from '@/components/journal/entries/entry-date';
import { Icon } from '@/components/ui/icon';
import { Menu, MenuItem } from '@/components/ui/menu';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { type Body, call } from '@/lib/api/shared/client';
import type { EntrySummary } from '@/lib/journal/entries/contract';

/**
 * Hides a memory from On This Day: this entry, every entry with one of its tags, or its date.
 * @param onHidden runs before the card disappears, to move the focus
 */
export function MemoryMenu({ entry, onHidden }: { entry: EntrySummary; onHidden: () => void }) {
  const router = useRouter();
  const formatDate = useFormatDate();

  async function undo(id: string) {
    try {
      await call('DELETE /memories/hidden/:id', { params: { id } });
      router.refresh();
    } catch (error) {
      showError(error);
    }
  }

  async function hide(body: Body<'POST /memories/hidden'>, done: string) {
    try {
      const { id } = await call('POST /memories/hidden', { body });
      onHidden();
      router.refresh();
      toast.success(`${done} hidden from On This Day.`, { label: 'Undo', onPress: () => void undo(id) });
    } catch (error) {
      showError(error);
    }
  }

  const { id, title, date, tags } = entry;
  return (
    <Menu
      label={`Not this one: hide “${title}”`}
      text="Not this one"
      icon={<Icon of={EyeOff} className="size-4.5" aria-hidden="true" />}
    >
      <MenuItem onSelect={() => void hide({ entryId: id }, `“${title}” is`)}>Hide this entry</MenuItem>
      {tags.map((tag) => (
        <MenuItem
          key={tag.id}
          onSelect={() => void hide({ tagId: tag.id }, `Entries tagged ${tag.name} are`)}
        >
          <span className="max-w-60 truncate">Hide entries tagged {tag.name}</span>
        </MenuItem>
      ))}
      <MenuItem onSelect={() => void hide({ date }, `Entries from ${formatDate(date)} are`)}>
        Hide this date
      </MenuItem>
    </Menu>
  );
}
