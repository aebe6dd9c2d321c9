import { useEffect, useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Dialog } from '@/components/ui/dialog';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { Tag } from '@/lib/journal/tags/contract';

import { type TagChange, TagForm } from './tag-form';
import { type ActionDialogProps, useBulkAction } from './use-bulk-action';

/** Loads the account's tags when the dialog opens; null until then. */
function useTags(open: boolean): readonly Tag[] | null {
  const [tags, setTags] = useState<readonly Tag[] | null>(null);
  useEffect(() => {
    if (!open) return;
    call('GET /category')
      .then(({ categories }) => setTags(categories))
      .catch(showError);
  }, [open]);
  return tags;
}

/** Adds tags to the entries and removes them. */
export function TagDialog({ entries, open, onOpenChange }: ActionDialogProps) {
  const { isBusy, setOpen, run } = useBulkAction(onOpenChange);
  const saved = useTags(open);
  const count = countEntries(entries.length);

  const save = (change: TagChange) =>
    run(async () => {
      const body = { entries: entries.map(({ id }) => id), ...change };
      const changed = await call('POST /bulk/entries/tags', { body });
      return {
        message: `Changed the tags of ${count}.`,
        undo: () => call('POST /bulk/entries/tags/undo', { body: changed }),
      };
    });

  return (
    <Dialog open={open} onOpenChange={setOpen} title={`Tag ${count}`}>
      <TagForm
        saved={saved}
        tagged={entries.map(({ tags }) => tags)}
        isBusy={isBusy}
        onSubmit={(change) => void save(change)}
        onCancel={() => setOpen(false)}
      />
    </Dialog>
  );
}
