import type { AccountData } from '@/components/device/account-store';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { deleteRecordings } from './discard-recording';
import { listRecordingSizes } from './recording-store';

/** An account's recordings that aren't uploaded. Unless they're discarded, they stay until their owner is back. */
export const accountRecordings: AccountData = {
  async describe(account) {
    const recordings = await listRecordingSizes(account);
    if (recordings.length === 0) return null;
    const size = formatBytes(recordings.reduce((sum, { bytes }) => sum + bytes, 0));
    const isOne = recordings.length === 1;
    const them = isOne ? 'it' : 'them';
    return {
      lead: isOne
        ? `A recording on this device isn’t uploaded yet (${size}). You can leave it here until you log back in. Nobody else can see it.`
        : `${recordings.length} recordings on this device aren’t uploaded yet (${size}). You can leave them here until you log back in. Nobody else can see them.`,
      confirm: `Log out and leave ${them} here`,
      stay: { label: 'Stay and upload', href: '/upload' },
      deleteAll: `Delete ${them} and log out`,
    };
  },
  delete: (account, all) => deleteRecordings(account, all ? undefined : Number.POSITIVE_INFINITY),
};
