import { useEffect, useState } from 'react';
import { listAllUploads, type StoredUpload } from '@/components/capture/uploads/queue/upload-store';
import { Card } from '@/components/ui/card';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { formatUsDate, fromIso } from '@/lib/journal/entries/shared/calendar';

/** Returns when and how large, such as `11/25/2026 · 12 MB`. */
function describe({ date, size }: StoredUpload): string {
  const day = fromIso(date);
  return [day && formatUsDate(day), formatBytes(size)].filter(Boolean).join(' · ');
}

/** Lists the videos that wait for a connection. Shows nothing if there are none. */
export function WaitingUploads({ account }: { account: string }) {
  const [uploads, setUploads] = useState<readonly StoredUpload[]>([]);
  useEffect(() => {
    void listAllUploads().then((all) => setUploads(all.filter(({ owner }) => owner === account)));
  }, [account]);
  if (uploads.length === 0) return null;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-17 font-semibold">Waiting to upload</h2>
      <ul className="flex flex-col gap-3">
        {uploads.map((upload) => (
          <li key={upload.id} className="border-t border-line pt-3 first:border-0 first:pt-0">
            <p className="break-words text-15 font-semibold">{upload.title}</p>
            <p className="text-14 text-ink-2 tabular-nums">{describe(upload)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
