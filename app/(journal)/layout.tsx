import type { ReactNode } from 'react';
import { AccountStorage } from '@/components/ui/account-storage';
import { GlobalUploads } from '@/components/uploads/queue/global-uploads';
import { visitor } from '@/lib/sessions/guards';

/** Around every page of the journal, so that uploads go on from one to the next. */
export default async function JournalLayout({ children }: { children: ReactNode }) {
  const user = await visitor();
  return (
    <>
      {/* Here as well, for a page that a sign-in led to without a full load. */}
      {user && <AccountStorage account={user.id} />}
      {children}
      {user?.verified && <GlobalUploads userId={user.id} />}
    </>
  );
}
