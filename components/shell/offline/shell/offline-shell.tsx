'use client';

import { BookOpen, Plus, Settings } from 'lucide';
import { type MouseEvent, type ReactNode, Suspense, useEffect } from 'react';
import { useSavedEntriesGuard } from '@/components/journal/saved-entries/saved-entries-guard';
import { MemberLinks } from '@/components/shell/nav/member-links';
import { AccountStorage } from '@/components/ui/account-storage';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { lazyComponent, reloadIfIdle } from '@/components/ui/load-code';
import { Loading, Skeleton } from '@/components/ui/loading';
import { Logo } from '@/components/ui/logo';
import { OfflinePageContext } from '@/components/ui/offline-page';
import { PageHeading } from '@/components/ui/page-heading';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { useConnection } from './connection';
import { type Place, useVisit, type Visit } from './place';

const OfflineStudio = lazyComponent(() => import('./offline-studio'), 'OfflineStudio');
const DevicePage = lazyComponent(() => import('./device-page'), 'DevicePage');

const ICONS = {
  upload: <Icon of={Plus} aria-hidden="true" />,
  journal: <Icon of={BookOpen} aria-hidden="true" />,
  settings: <Icon of={Settings} aria-hidden="true" />,
};

/** The bar at the top of the page that's shown without a network. */
function OfflineNavigation({ visit, isOnline }: { visit: Visit | null; isOnline: boolean }) {
  return (
    <header className="gutter sticky top-0 z-30 flex h-16 shrink-0 items-center gap-3 border-b border-line bg-canvas sm:gap-5">
      <a href="/" className="-mx-1 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1">
        <Logo />
      </a>
      {visit?.account && <MemberLinks icons={ICONS} prefetch={false} />}
      <p
        role="status"
        className="ml-auto rounded-pill border border-line-strong px-3 py-1 text-14 font-medium text-ink-2 empty:hidden"
      >
        {visit && !isOnline && 'Offline'}
      </p>
    </header>
  );
}

/** How often to check whether the person is done, in milliseconds. */
const INTERVAL = 2000;

/**
 * Loads the page that was asked for once there's a connection: by itself if that interrupts nothing, and otherwise when the
 * person wants to. An entry may be playing, so it stays, unless its owner has been signed out meanwhile.
 */
function ReturnOnline({ place, isOnline }: { place: Place; isOnline: boolean }) {
  useSavedEntriesGuard(isOnline);
  const mayReload = isOnline && place.name !== 'entry';
  useEffect(() => {
    if (!mayReload) return;
    // Its own address has no other page.
    if (window.location.pathname === '/offline') return window.location.replace('/');
    if (reloadIfIdle()) return;
    const timer = setInterval(reloadIfIdle, INTERVAL);
    return () => clearInterval(timer);
  }, [mayReload]);
  if (!isOnline) return null;
  return (
    <div data-corner>
      <BottomBar label="Connection">
        <p role="status" className="min-w-0 grow text-15">
          You’re back online.
        </p>
        <Button size="sm" onClick={() => window.location.reload()}>
          Open the full page
        </Button>
      </BottomBar>
    </div>
  );
}

/** Opens links as whole pages: the router would ask the server for them. */
function openWholePage(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || !link?.href || link.target === '_blank' || link.hasAttribute('download')) return;
  if (new URL(link.href).origin !== location.origin) return;
  event.preventDefault();
  location.assign(link.href);
}

function Content({ visit, limits, speech }: { visit: Visit; limits: FileLimits; speech: BrowserSpeech }) {
  const { account, place } = visit;
  if (account === null)
    return (
      <div className="gutter mx-auto flex w-full max-w-page flex-col gap-6 py-8 sm:py-11">
        <PageHeading lead="Log in once you’re back online. Recordings that aren’t uploaded yet are still on this device.">
          You’re offline
        </PageHeading>
      </div>
    );
  if (place.name === 'studio') return <OfflineStudio account={account} limits={limits} speech={speech} />;
  return <DevicePage account={account} place={place} />;
}

/** What surrounds the page, and follows the connection. */
function Frame({ visit, children }: { visit: Visit | null; children: ReactNode }) {
  const isOnline = useConnection();
  return (
    <>
      <div className="contents" onClickCapture={openWholePage}>
        {visit?.account && <AccountStorage account={visit.account} />}
        <OfflineNavigation visit={visit} isOnline={isOnline} />
        <main id="content" tabIndex={-1} className="flex grow flex-col focus:outline-none">
          {children}
        </main>
      </div>
      {visit && <ReturnOnline place={visit.place} isOnline={isOnline} />}
    </>
  );
}

/** What Daylight shows without a network: the studio, and what's on this device. */
export function OfflineShell({ limits, speech }: { limits: FileLimits; speech: BrowserSpeech }) {
  const visit = useVisit();
  const loading = (
    <Loading>
      <Skeleton className="mx-auto aspect-video w-full max-w-page" />
    </Loading>
  );
  return (
    <OfflinePageContext value={true}>
      <Frame visit={visit}>
        <Suspense fallback={loading}>
          {visit ? <Content visit={visit} limits={limits} speech={speech} /> : loading}
        </Suspense>
      </Frame>
    </OfflinePageContext>
  );
}
