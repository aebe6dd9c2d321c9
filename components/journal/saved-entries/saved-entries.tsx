'use client';

import { useEffect, useState } from 'react';
import { ENTRY_GRID, EntryCard, EntryCardSkeletons } from '@/components/journal/entries/entry-card';
import { Loading } from '@/components/ui/loading';
import { HOW_TO_SAVE, LockedEntries } from './saved-entry-list';
import type { SavedEntryProgress } from './saved-entry-store';
import { useSavedEntries } from './use-saved-entries';

function SavedEntryCard({ saved: { entry, poster } }: { saved: SavedEntryProgress }) {
  const [thumbnail, setThumbnail] = useState('');
  useEffect(() => {
    if (!poster) return;
    const address = URL.createObjectURL(poster);
    setThumbnail(address);
    return () => URL.revokeObjectURL(address);
  }, [poster]);
  return <EntryCard entry={{ ...entry, thumbnail }} dateFormat="us" isInView isOffline />;
}

/** Lists the entries that an account can watch without a network. Needs no server. */
export function SavedEntries({ owner }: { owner: string }) {
  const here = useSavedEntries(owner);
  if (!here) {
    return (
      <Loading>
        <EntryCardSkeletons count={3} />
      </Loading>
    );
  }
  const whole = here.entries.filter(({ complete }) => complete);
  if (whole.length === 0) {
    return here.lockedCount > 0 ? (
      <LockedEntries count={here.lockedCount} />
    ) : (
      <p className="text-16 text-pretty text-ink-2">
        No entries are on this device. When you’re back online, you can change that. {HOW_TO_SAVE}
      </p>
    );
  }
  return (
    <>
      <LockedEntries count={here.lockedCount} />
      <div className={ENTRY_GRID}>
        {whole.map((one) => (
          <SavedEntryCard key={one.id} saved={one} />
        ))}
      </div>
    </>
  );
}
