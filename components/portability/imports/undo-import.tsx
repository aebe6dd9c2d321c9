'use client';

import { useState } from 'react';
import { countEntries } from '@/components/journal/entries/count-entries';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';

/**
 * Undoes an import with one press. Nothing of it is lost, since its entries go to the trash.
 * @param label what the import is called, where there are several
 */
export function UndoImport({
  importId,
  label,
  onUndone,
}: {
  importId: string;
  label?: string;
  onUndone: () => void;
}) {
  const [busy, setBusy] = useState(false);
  async function undo() {
    setBusy(true);
    try {
      const { entryCount } = await call('POST /imports/:id/undo', { params: { id: importId } });
      toast.success(
        entryCount === 0 ? 'Import undone.' : `Import undone. ${countEntries(entryCount)} moved to Trash.`,
      );
      onUndone();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button variant="secondary" busy={busy} onClick={() => void undo()}>
      <span>Undo this import</span>
      {label && <span className="sr-only">: {label}</span>}
    </Button>
  );
}
