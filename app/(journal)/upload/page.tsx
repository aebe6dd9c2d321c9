import type { Metadata } from 'next';
import { Suspense } from 'react';
import { QuotaReached } from '@/components/plans/quota-reached';
import { Studio } from '@/components/recorder/studio';
import { Loading, Skeleton } from '@/components/ui/loading';
import { canUpload } from '@/lib/plans/service';
import { requireUser } from '@/lib/sessions/guards';

export const metadata: Metadata = { title: 'Upload' };

async function UploadContent({ userId }: { userId: string }) {
  if (await canUpload(userId)) return <Studio userId={userId} />;
  return <QuotaReached />;
}

function UploadSkeleton() {
  return (
    <Loading>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_340px]">
        <Skeleton className="aspect-[3/4] max-h-[70dvh] w-full sm:aspect-video" />
        <Skeleton className="h-[380px]" />
      </div>
    </Loading>
  );
}

/** The studio, dark in both themes, so that the picture is the brightest thing on the page. */
export default async function UploadPage() {
  const user = await requireUser();
  return (
    <div className="always-dark grow bg-sunken">
      <div className="gutter mx-auto max-w-[1360px] py-6 sm:py-8">
        <h1 className="sr-only">Record or upload a video</h1>
        <Suspense fallback={<UploadSkeleton />}>
          <UploadContent userId={user.id} />
        </Suspense>
      </div>
    </div>
  );
}
