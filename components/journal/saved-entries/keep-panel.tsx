import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Loading, Skeleton } from '@/components/ui/loading';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { keepEntry } from './keep-entry';
import { KeptDownload } from './kept-download';
import { deleteKept } from './kept-store';
import { useKept } from './use-kept';

/** Returns the size of an entry's video in bytes; 0 if it isn't known, and null until then. */
function useVideoBytes(entryId: string): number | null {
  const [bytes, setBytes] = useState<number | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    call('GET /entry/:id/downloads', { params: { id: entryId }, signal: gone.signal })
      .then(({ downloads }) => setBytes(downloads.find(({ kind }) => kind === 'video')?.bytes ?? 0))
      .catch((error: unknown) => {
        logRejected(error);
        if (!gone.signal.aborted) setBytes(0);
      });
    return () => gone.abort();
  }, [entryId]);
  return bytes;
}

/** Says how large an entry is and keeps it, shows its download, or removes it from this device. */
export function KeepPanel({ owner, entryId }: { owner: string; entryId: string }) {
  const here = useKept(owner);
  const bytes = useVideoBytes(entryId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const kept = here?.entries.find(({ id }) => id === entryId);

  async function keep() {
    setBusy(true);
    setProblem(await keepEntry(owner, entryId, bytes ?? 0));
    setBusy(false);
  }

  if (!here || (!kept && bytes === null)) {
    return (
      <Loading>
        <Skeleton className="h-11 rounded-12" />
      </Loading>
    );
  }
  if (!kept) {
    return (
      <div className="flex flex-col items-start gap-3">
        {problem && (
          <p role="alert" className="text-15 text-danger">
            {problem}
          </p>
        )}
        <Button busy={busy} onClick={() => void keep()}>
          Keep on this device{bytes ? ` · ${formatBytes(bytes)}` : ''}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <KeptDownload kept={kept} />
      <Button variant="secondary" onClick={() => void deleteKept(owner, [entryId])}>
        {kept.complete ? 'Remove from this device' : 'Cancel download'}
      </Button>
    </div>
  );
}
