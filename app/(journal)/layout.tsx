import type { ReactNode } from 'react';
import { UploadsAnywhere } from '@/components/uploads/uploads-anywhere';
import { visitor } from '@/lib/sessions/guards';

/** Around every page of the journal, so that uploads go on from one to the next. */
export default async function JournalLayout({ children }: { children: ReactNode }) {
  const user = await visitor();
  return (
    <>
      {children}
      {user?.verified && <UploadsAnywhere userId={user.id} />}
    </>
  );
}
