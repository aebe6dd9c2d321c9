import { useEffect } from 'react';
import { useSavedEntriesGuard } from '@/components/journal/saved-entries/saved-entries-guard';
import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { reloadIfIdle } from '@/components/ui/load-code';
import { useConnection } from './connection';
import type { Place } from './place';

/** How often to check whether the person is done, in milliseconds. */
const INTERVAL = 2000;

/**
 * Loads the page that was asked for once there's a connection: by itself if that interrupts nothing, and otherwise when the
 * person wants to. An entry may be playing, so it stays, unless its owner has been signed out meanwhile.
 */
export function ReturnOnline({ place }: { place: Place }) {
  const isOnline = useConnection();
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
