import type { ReactNode } from 'react';
import { ThisDevice } from '@/components/account/settings/this-device';
import { useEditSending } from '@/components/journal/offline-edits/use-edits';
import { SavedEntries } from '@/components/journal/saved-entries/saved-entries';
import { SavedEntryPage } from '@/components/journal/saved-entries/saved-entry-page';
import { PageHeading } from '@/components/ui/page-heading';
import type { Place } from './place';
import { WaitingUploads } from './waiting-uploads';

type DevicePlace = Exclude<Place, { name: 'studio' }>;

function contentOf(account: string, place: DevicePlace): ReactNode {
  switch (place.name) {
    case 'entry':
      return <SavedEntryPage owner={account} id={place.id} startAt={place.startAt} />;
    case 'settings':
      return (
        <>
          <PageHeading lead="Other settings need a connection.">This device</PageHeading>
          <ThisDevice owner={account} dateFormat="MM/DD/YYYY" />
        </>
      );
    case 'journal':
      return (
        <>
          <PageHeading lead="You’re offline. The rest of your journal is back once you’re online.">
            On this device
          </PageHeading>
          <WaitingUploads account={account} />
          <SavedEntries owner={account} />
        </>
      );
  }
}

/** What's on this device: a saved entry, a list of them, or how much space they take. */
export function DevicePage({ account, place }: { account: string; place: DevicePlace }) {
  useEditSending(account);
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-8 py-8 sm:py-11">
      {contentOf(account, place)}
    </div>
  );
}
