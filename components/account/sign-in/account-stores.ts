import { mayHaveRecordings } from '@/components/capture/recorder/has-recordings';
import {
  INTERRUPTED_UPLOADS_KEY,
  isActiveUpload,
  uploadQueueStore,
} from '@/components/capture/uploads/queue/upload-queue-store';
import type { AccountStore } from '@/components/device/account-store';
import { WAITING_EDITS_KEY } from '@/components/journal/offline-edits/edit';
import { savedEntriesOwner } from '@/components/journal/saved-entries/saved-entries-owner';
import { getDeviceSetting } from '@/components/ui/browser-storage';

/**
 * Every store of accounts' data in this browser, in the order in which logging out asks about them and deletes from them.
 * What's in localStorage and sessionStorage goes by itself (components/ui/browser-storage.ts).
 */
export const ACCOUNT_STORES: readonly AccountStore[] = [
  {
    name: 'saved entries',
    mayHaveData: (account) => savedEntriesOwner() === account,
    owner: savedEntriesOwner,
    open: async () => (await import('@/components/journal/saved-entries/saved-entry-store')).openDatabase(),
    async load() {
      const { deleteSavedEntries } = await import('@/components/journal/saved-entries/saved-entry-store');
      return { delete: (account) => deleteSavedEntries(account) };
    },
  },
  {
    name: 'uploads',
    mayHaveData: (account) =>
      uploadQueueStore.get().some(isActiveUpload) || getDeviceSetting(INTERRUPTED_UPLOADS_KEY) === account,
    open: async () => (await import('@/components/capture/uploads/queue/upload-store')).openDatabase(),
    load: async () => (await import('@/components/capture/uploads/queue/interrupted-uploads')).accountUploads,
  },
  {
    name: 'recordings',
    mayHaveData: mayHaveRecordings,
    open: async () => (await import('@/components/capture/recorder/recording-store')).openDatabase(),
    load: async () => (await import('@/components/capture/recorder/account-recordings')).accountRecordings,
  },
  {
    name: 'edits',
    mayHaveData: () => getDeviceSetting(WAITING_EDITS_KEY) !== null,
    load: async () => (await import('@/components/journal/offline-edits/account-edits')).accountEdits,
  },
  {
    name: 'imports',
    mayHaveData: () => true,
    load: async () => (await import('@/components/portability/imports/account-imports')).accountImports,
  },
  {
    name: 'shared videos',
    mayHaveData: () => true,
    async load() {
      const { deleteOldShares } = await import('@/components/capture/uploads/shared/shared-store');
      return { delete: deleteOldShares };
    },
  },
];
