import type { ReactNode } from 'react';
import { EvictionNotice } from '@/components/device/eviction-notice';
import { PendingEdits } from '@/components/edits/pending-edits';
import { GlobalImport } from '@/components/imports/global-import';
import { GlobalKept } from '@/components/kept/global-kept';
import { RegisterWorker } from '@/components/offline/register-worker';
import { DateFormatProvider } from '@/components/preferences/date-format-context';
import { GlobalRecordings } from '@/components/recorder/global-recordings';
import { AccountStorage } from '@/components/ui/account-storage';
import { CornerLinks } from '@/components/ui/corner-link';
import { GlobalUploads } from '@/components/uploads/queue/global-uploads';
import { currentPreferences } from '@/lib/preferences/current';
import { getCurrentUser } from '@/lib/sessions/guards';

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
          <GlobalKept account={user.id} />
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
