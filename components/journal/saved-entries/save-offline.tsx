'use client';

import { HardDriveDownload } from 'lucide';
import { createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { lazyComponent } from '@/components/ui/load-code';
import { MenuItem } from '@/components/ui/menu';
import { savedEntriesOwner, watchSavedEntries } from './saved-entries-owner';

const SaveOfflinePanel = lazyComponent(() => import('./save-offline-panel'), 'SaveOfflinePanel');
const SavedLabel = lazyComponent(() => import('./saved-label'), 'SavedLabel');

const OpenDialogContext = createContext(() => {});

/** Has the dialog that saves an entry offline or removes it, which {@link SaveOfflineItem} and {@link SavedStatus} open. */
export function SaveOffline({ owner, entryId, children }: OwnedEntry & { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <OpenDialogContext value={() => setOpen(true)}>
      {children}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Keep on this device"
        description="Watch this entry and read its transcript without a connection. It’s removed when you log out."
      >
        <Suspense fallback={null}>
          <SaveOfflinePanel owner={owner} entryId={entryId} />
        </Suspense>
      </Dialog>
    </OpenDialogContext>
  );
}

/** The item of an entry's menu that opens the dialog. */
export function SaveOfflineItem() {
  return (
    <MenuItem onSelect={useContext(OpenDialogContext)}>
      <Icon of={HardDriveDownload} className="size-4" aria-hidden="true" />
      Keep on this device
    </MenuItem>
  );
}

/** Shows whether an entry is on this device, and brings the copy up to date. Loads nothing for people who have none. */
export function SavedStatus({ owner, entryId }: OwnedEntry) {
  const openDialog = useContext(OpenDialogContext);
  const [mayBeSaved, setMayBeSaved] = useState(false);
  useEffect(() => {
    const look = () => setMayBeSaved(savedEntriesOwner() === owner);
    look();
    return watchSavedEntries(look);
  }, [owner]);
  if (!mayBeSaved) return null;
  return (
    <Suspense fallback={null}>
      <SavedLabel owner={owner} entryId={entryId} onOpen={openDialog} />
    </Suspense>
  );
}
