import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Importer } from '@/components/portability/imports/importer';
import { RecentImports } from '@/components/portability/imports/recent-imports';
import { PageHeading } from '@/components/ui/page-heading';
import { requireUser } from '@/lib/account/sessions/guards';
import { listImports } from '@/lib/portability/imports/history/service';
import { uploadLimits } from '@/lib/video/uploads/service';

export const metadata: Metadata = { title: 'Import' };

async function PastImports({ userId }: { userId: string }) {
  const { imports } = await listImports(userId);
  return <RecentImports account={userId} imports={imports} />;
}

/** Brings videos from elsewhere: folders, Google Takeout, Day One, and Daylight's own archives. */
export default async function ImportPage() {
  const user = await requireUser();
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-7 py-8 sm:py-11">
      <PageHeading lead="Bring years of videos with you. Daylight works out when each one was recorded, and you choose what to import.">
        Import
      </PageHeading>
      <Importer account={user.id} limits={await uploadLimits()} />
      <Suspense fallback={null}>
        <PastImports userId={user.id} />
      </Suspense>
    </div>
  );
}
