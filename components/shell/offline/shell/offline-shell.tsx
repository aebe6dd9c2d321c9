'use client';

import { type MouseEvent, Suspense } from 'react';
import { AccountStorage } from '@/components/ui/account-storage';
import { lazyComponent } from '@/components/ui/load-code';
import { Loading, Skeleton } from '@/components/ui/loading';
import { OfflinePageProvider } from '@/components/ui/offline-page';
import { PageHeading } from '@/components/ui/page-heading';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { OfflineNavigation } from './offline-navigation';
import { useVisit, type Visit } from './place';
import { ReturnOnline } from './return-online';

const OfflineStudio = lazyComponent(() => import('./offline-studio'), 'OfflineStudio');
const DevicePage = lazyComponent(() => import('./device-page'), 'DevicePage');

/** Opens links as whole pages: the router would ask the server for them. */
function openWholePage(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || !link?.href || link.target === '_blank' || link.hasAttribute('download')) return;
  if (new URL(link.href).origin !== location.origin) return;
  event.preventDefault();
  location.assign(link.href);
}

function SignedOut() {
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-6 py-8 sm:py-11">
      <PageHeading lead="Log in once you’re back online. Recordings that aren’t uploaded yet are still on this device.">
        You’re offline
      </PageHeading>
    </div>
  );
}

function Content({ visit, limits, speech }: { visit: Visit; limits: FileLimits; speech: BrowserSpeech }) {
  const { account, place } = visit;
  if (account === null) return <SignedOut />;
  if (place.name === 'studio') return <OfflineStudio account={account} limits={limits} speech={speech} />;
  return <DevicePage account={account} place={place} />;
}

/** What Daylight shows without a network: the studio, and what's on this device. */
export function OfflineShell({ limits, speech }: { limits: FileLimits; speech: BrowserSpeech }) {
  const visit = useVisit();
  const account = visit?.account ?? null;
  const loading = (
    <Loading>
      <Skeleton className="mx-auto aspect-video w-full max-w-page" />
    </Loading>
  );
  return (
    <OfflinePageProvider>
      <div className="contents" onClickCapture={openWholePage}>
        {account && <AccountStorage account={account} />}
        <OfflineNavigation />
        <main id="content" tabIndex={-1} className="flex grow flex-col focus:outline-none">
          <Suspense fallback={loading}>
            {visit ? <Content visit={visit} limits={limits} speech={speech} /> : loading}
          </Suspense>
        </main>
      </div>
      {visit && <ReturnOnline place={visit.place} />}
    </OfflinePageProvider>
  );
}
