import type { Metadata } from 'next';
import Link from 'next/link';
import { Suspense } from 'react';
import { UpgradePlan } from '@/components/plans/upgrade-plan';
import { Studio } from '@/components/recorder/studio';
import { ButtonLink } from '@/components/ui/button';
import { Loading, Skeleton } from '@/components/ui/loading';
import { canUpload, planSource } from '@/lib/plans/service';
import { requireUser } from '@/lib/sessions/guards';
import { browserSpeech } from '@/lib/speech/browser-build';
import { uploadLimits } from '@/lib/uploads/service';

export const metadata: Metadata = { title: 'Upload' };

function QuotaReached({ canChangePlan }: { canChangePlan: boolean }) {
  const journal = 'Look through your journal';
  return (
    <div className="mx-auto flex max-w-prose flex-col items-center gap-5 py-16 text-center">
      <p role="status" className="heading text-[28px]">
        You have reached your plan's quota.
      </p>
      <p className="text-16 text-ink-2">
        You can still watch, edit, export, and delete everything you’ve recorded. Deleting entries frees up
        space right away.{' '}
        {canChangePlan && (
          <Link href="/journals" className="font-semibold text-accent-ink underline underline-offset-4">
            {journal}
          </Link>
        )}
      </p>
      {canChangePlan ? <UpgradePlan startOpen /> : <ButtonLink href="/journals">{journal}</ButtonLink>}
    </div>
  );
}

async function UploadContent({ userId }: { userId: string }) {
  if (await canUpload(userId))
    return <Studio userId={userId} limits={uploadLimits()} speech={browserSpeech()} />;
  return <QuotaReached canChangePlan={(await planSource(userId)) === 'subscription'} />;
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

/** The recording page. It's dark in both themes, so that the video is the brightest thing on it. */
export default async function UploadPage() {
  const user = await requireUser();
  return (
    <div className="always-dark grow bg-sunken">
      <div className="gutter mx-auto max-w-[1360px] py-6 sm:py-8">
        <h1 className="sr-only">Record or upload a video</h1>
        <Suspense fallback={<UploadSkeleton />}>
          <UploadContent userId={user.id} />
        </Suspense>
        <p className="mt-8 text-center text-15 text-ink-2">
          Have years of videos?{' '}
          <Link
            href="/upload/import"
            className="inline-flex min-h-11 items-center font-semibold text-accent-ink underline underline-offset-4"
          >
            Import folders, Google Photos, or Day One
          </Link>
        </p>
      </div>
    </div>
  );
}
