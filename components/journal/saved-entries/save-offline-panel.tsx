import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Loading, Skeleton } from '@/components/ui/loading';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Download } from '@/lib/video/downloads/contract';
import { saveEntryOffline } from './download-entries';
import { DownloadProgress } from './download-progress';
import { deleteSavedEntries } from './saved-entry-store';
import { useSavedEntries } from './use-saved-entries';

/** Returns the size of an entry's video in bytes; 0 if it isn't known, and null until then. */
function useVideoBytes(entryId: string): number | null {
  const [bytes, setBytes] = useState<number | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    call('GET /entry/:id/downloads', { params: { id: entryId }, signal: gone.signal })
      .then(({ downloads }) => {
        const bytesOf = (wanted: Download['kind']) => downloads.find(({ kind }) => kind === wanted)?.bytes;
        // A video that's stored once is the original.
        setBytes(bytesOf('video') ?? bytesOf('original') ?? 0);
      })
      .catch((error: unknown) => {
        logRejected(error);
        if (!gone.signal.aborted) setBytes(0);
      });
    return () => gone.abort();
  }, [entryId]);
  return bytes;
}

/** Says how large an entry is and saves it, shows its download, or removes it from this device. */
export function SaveOfflinePanel({ owner, entryId }: { owner: string; entryId: string }) {
  const here = useSavedEntries(owner);
  const bytes = useVideoBytes(entryId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const saved = here?.entries.find(({ id }) => id === entryId);

  async function save() {
    setBusy(true);
    setProblem(await saveEntryOffline(owner, entryId, bytes ?? 0));
    setBusy(false);
  }

  if (!here || (!saved && bytes === null)) {
    return (
      <Loading>
        <Skeleton className="h-11 rounded-12" />
      </Loading>
    );
  }
  if (!saved) {
    return (
      <div className="flex flex-col items-start gap-3">
        {problem && (
          <p role="alert" className="text-15 text-danger">
            {problem}
          </p>
        )}
        <Button busy={busy} onClick={() => void save()}>
          Keep on this device{bytes ? ` · ${formatBytes(bytes)}` : ''}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col items-start gap-4">
      <DownloadProgress saved={saved} />
      <Button variant="secondary" onClick={() => void deleteSavedEntries(owner, [entryId])}>
        {saved.complete ? 'Remove from this device' : 'Cancel download'}
      </Button>
    </div>
  );
}
