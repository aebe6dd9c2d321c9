import type { AccountData } from '@/components/device/account-store';
import { countEdits, deleteEdits } from './edit-store';

/** An account's changes that the server doesn't have yet. */
export const accountEdits: AccountData = {
  async describe(account) {
    const count = await countEdits(account);
    if (count === 0) return null;
    const isOne = count === 1;
    return {
      lead: isOne
        ? 'A change that you made offline hasn’t been sent yet, and logging out deletes it.'
        : `${count} changes that you made offline haven’t been sent yet, and logging out deletes them.`,
      confirm: `Delete ${isOne ? 'it' : 'them'} and log out`,
      stay: { label: 'Stay logged in', href: '/' },
    };
  },
  delete: deleteEdits,
};
