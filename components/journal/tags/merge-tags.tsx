import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import type { Tag } from '@/lib/journal/tags/contract';

/** Merges one tag into another after asking for confirmation. */
export function MergeTags({ from, into, onMerged }: { from: Tag; into: Tag; onMerged: (gone: Tag) => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function merge() {
    setBusy(true);
    try {
      await call('POST /category/:id/merge', { params: { id: from.id }, body: { into: into.id } });
      onMerged(from);
    } catch (error) {
      showError(error);
    }
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Merge tags
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Merge these tags?"
        description={`Every entry tagged “${from.name}” will be tagged “${into.name}” instead, and “${from.name}” will be deleted. You can’t undo this.`}
      >
        <div className="flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void merge()}>
            Merge
          </Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
