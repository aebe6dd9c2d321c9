import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import Link from 'next/link';
import { Suspense } from 'react';
import { UpgradePlan } from '@/components/billing/upgrade-plan';
import { ImportLink } from '@/components/capture/recorder/import-link';
import { Studio } from '@/components/capture/recorder/studio';
import { ButtonLink } from '@/components/ui/button';
import { Loading, Skeleton } from '@/components/ui/loading';
import { currentTimeZone } from '@/lib/account/preferences/current';
import { requireUser } from '@/lib/account/sessions/guards';
import { canUpload, planSource } from '@/lib/billing/plans/service';
import { todayIn } from '@/lib/journal/entries/dashboard';
import { questionOfDay } from '@/lib/journal/memories/questions';
import { PROMPT_COOKIE, promptInAddress } from '@/lib/journal/shared/prompts';
import { browserSpeech } from '@/lib/video/speech/browser-build';
import { uploadLimits } from '@/lib/video/uploads/service';

export const metadata: Metadata = { title: 'Upload' };

export const viewport: Viewport = { colorScheme: 'dark', themeColor: '#070a09' };

function QuotaReached({ canChangePlan }: { canChangePlan: boolean }) {
  const journal = 'Look through your journal';
  return (
    <div className="mx-auto flex max-w-prose flex-col items-center gap-5 py-16 text-center">
      <p role="status" className="heading text-[28px]">
        You have reached your plan's quota.
      </p>
      <p className="text-16 text-ink-2">
        <span>
          You can still watch, edit, export, and delete everything you’ve recorded. Deleting entries frees up
          space right away.{' '}
        </span>
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

/**
 * Returns what the studio asks: the question in the address or the day's, unless it's answered already.
 * @param asked the number of a prompt, as the address has it
 * @returns empty for none
 */
async function questionToAsk(userId: string, asked: string | string[] | undefined): Promise<string> {
  if ((await cookies()).get(PROMPT_COOKIE)?.value === 'off') return '';
  const { question, answer } = await questionOfDay(userId, todayIn(await currentTimeZone()));
  const wanted = promptInAddress(asked);
  if (wanted && wanted !== answer?.question) return wanted;
  return answer ? '' : question;
}

async function UploadContent({
  userId,
  adoptedId,
  asked,
}: {
  userId: string;
  adoptedId: string | null;
  /** The number of the question to ask, as the address has it. */
  asked: string | string[] | undefined;
}) {
  const question = await questionToAsk(userId, asked);
  if (await canUpload(userId))
    return (
      <Studio
        userId={userId}
        limits={await uploadLimits()}
        speech={browserSpeech()}
        question={question}
        adoptedId={adoptedId}
      />
    );
  return (
    <>
      <QuotaReached canChangePlan={(await planSource(userId)) === 'subscription'} />
      <p className="text-center text-14 text-ink-2">
        <ImportLink />
      </p>
    </>
  );
}

function UploadSkeleton() {
  return (
    <Loading>
      <div className="flex flex-col items-center gap-6">
        <Skeleton className="h-20 w-full max-w-[480px]" />
        <Skeleton className="aspect-[3/4] max-h-[50dvh] w-full max-w-[976px] sm:aspect-video sm:max-h-none" />
        <Skeleton className="h-13 w-full max-w-[1200px]" />
      </div>
    </Loading>
  );
}

/** The recording page. It's dark in both themes, so that the video is the brightest thing on it. */
export default async function UploadPage({ searchParams }: PageProps<'/upload'>) {
  const { keep, question } = await searchParams;
  const user = await requireUser();
  return (
    <div className="always-dark dark-page grow bg-sunken">
      <div className="gutter mx-auto max-w-[1360px] py-4 sm:py-6">
        <h1 className="sr-only">Record or upload a video</h1>
        <Suspense fallback={<UploadSkeleton />}>
          <UploadContent
            userId={user.id}
            adoptedId={typeof keep === 'string' ? keep : null}
            asked={question}
          />
        </Suspense>
      </div>
    </div>
  );
}
