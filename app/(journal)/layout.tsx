import type { ReactNode } from 'react';
import { EvictionNotice } from '@/components/account/sign-in/eviction-notice';
import { GlobalRecordings, GlobalUploads } from '@/components/capture/corner-links';
import { DateFormatProvider } from '@/components/journal/entries/date-format-context';
import { PendingEdits } from '@/components/journal/offline-edits/pending-edits';
import { GlobalSavedEntries } from '@/components/journal/saved-entries/global-saved-entries';
import { GlobalImport } from '@/components/portability/imports/global-import';
import { RegisterWorker } from '@/components/shell/offline/register-worker';
import { AccountStorage } from '@/components/ui/account-storage';
import { CornerLinks } from '@/components/ui/corner-link';
import { currentPreferences } from '@/lib/account/preferences/current';
import { getCurrentUser } from '@/lib/account/sessions/guards';

/** Wraps every page of the journal, so that uploads and imports continue from one page to the next. */
export default async function JournalLayout({ children }: { children: ReactNode }) {
  const user = await getCurrentUser();
  return (
    <>
      {/* Here too, for pages reached from a sign-in without a full page load. */}
      {user && <AccountStorage account={user.id} />}
      <DateFormatProvider format={(await currentPreferences()).dateFormat}>{children}</DateFormatProvider>
      {user?.verified && (
        <>
          <RegisterWorker account={user.id} />
          <GlobalSavedEntries account={user.id} />
          <CornerLinks>
            <EvictionNotice />
            <PendingEdits account={user.id} />
            <GlobalImport account={user.id} />
            <GlobalRecordings userId={user.id} />
            <GlobalUploads userId={user.id} />
          </CornerLinks>
        </>
      )}
    </>
  );
}
