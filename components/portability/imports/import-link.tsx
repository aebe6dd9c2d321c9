'use client';

import { useRouter } from 'next/navigation';
import { CornerLink } from '@/components/ui/corner-link';
import { toast } from '@/components/ui/toast';
import { currentEntry, describeResult } from './describe-import';
import type { ImportState } from './import-reducer';
import { useImport, usePhaseChange } from './import-state';

function describeProgress(state: ImportState): string | null {
  const { current, wanted } = currentEntry(state);
  switch (state.phase) {
    case 'running':
      return state.waiting?.summary ?? `Importing ${current} of ${wanted}`;
    case 'paused':
      return state.problem ? 'The import stopped' : 'Import paused';
    case 'interrupted':
      return 'Import interrupted';
    default:
      return null;
  }
}

/** Shows an import in a corner of the page, and says how it ended. */
export function ImportLink() {
  const router = useRouter();
  const state = useImport();
  usePhaseChange(state.phase, (before) => {
    if (before !== 'running' || state.phase !== 'done') return;
    toast.success(describeResult(state));
    // Lists of entries have new ones now.
    router.refresh();
  });
  const progress = describeProgress(state);
  if (!progress) return null;
  return (
    <CornerLink
      label="Import"
      href="/upload/import"
      problem={state.waiting?.summary ?? (state.problem ? progress : undefined)}
    >
      {progress}
    </CornerLink>
  );
}
