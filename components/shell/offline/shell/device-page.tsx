import { useEffect, useState } from 'react';
import { ThisDevice } from '@/components/account/settings/this-device';
import { listAllUploads, type StoredUpload } from '@/components/capture/uploads/queue/upload-store';
import { useEditSending } from '@/components/journal/offline-edits/use-edits';
import { SavedEntries } from '@/components/journal/saved-entries/saved-entries';
import { SavedEntryPage } from '@/components/journal/saved-entries/saved-entry-page';
import { Card } from '@/components/ui/card';
import { PageHeading } from '@/components/ui/page-heading';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { formatUsDate, fromIso } from '@/lib/journal/entries/shared/calendar';
import type { Place } from './place';

/** Returns when and how large, such as `11/25/2026 · 12 MB`. */
function describe({ date, size }: StoredUpload): string {
  const day = fromIso(date);
  return [day && formatUsDate(day), formatBytes(size)].filter(Boolean).join(' · ');
}

/** Lists the videos that wait for a connection. Shows nothing if there are none. */
function WaitingUploads({ account }: { account: string }) {
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
            <p dir="auto" className="break-words text-15 font-semibold">
              {upload.title}
            </p>
            <p className="text-14 text-ink-2 tabular-nums">{describe(upload)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What's on this device: a saved entry, a list of them, or how much space they take. */
export function DevicePage({
  account,
  place,
}: {
  account: string;
  place: Exclude<Place, { name: 'studio' }>;
}) {
  useEditSending(account);
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-8 py-8 sm:py-11">
      {place.name === 'entry' && <SavedEntryPage owner={account} id={place.id} startAt={place.startAt} />}
      {place.name === 'settings' && (
        <>
          <PageHeading lead="Other settings need a connection.">This device</PageHeading>
          <ThisDevice owner={account} dateFormat="MM/DD/YYYY" />
        </>
      )}
      {place.name === 'journal' && (
        <>
          <PageHeading lead="You’re offline. The rest of your journal is back once you’re online.">
            On this device
          </PageHeading>
          <WaitingUploads account={account} />
          <SavedEntries owner={account} />
        </>
      )}
    </div>
  );
}
