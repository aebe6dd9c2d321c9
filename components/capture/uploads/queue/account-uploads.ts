import type { AccountData } from '@/components/device/account-store';
import { discardUploads } from './queue';
import { isActiveUpload, uploadQueueStore } from './upload-queue-store';
import { listAllUploads } from './upload-store';

async function hasUploads(account: string): Promise<boolean> {
  if (uploadQueueStore.get().some(isActiveUpload)) return true;
  return (await listAllUploads()).some(({ owner }) => owner === account);
}

/** An account's unfinished uploads, here and on the server. */
export const accountUploads: AccountData = {
  async describe(account) {
    if (!(await hasUploads(account))) return null;
    return {
      lead: 'An upload isn’t finished, and logging out cancels it. Recordings stay on this device until you log back in.',
      confirm: 'Cancel upload and log out',
      stay: { label: 'Keep uploading', href: '/upload' },
    };
  },
  delete: discardUploads,
};
