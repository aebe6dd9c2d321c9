import type { AccountData } from '@/components/device/account-store';
import { loadCode } from '@/components/ui/load-code';
import { isImporting } from './import-state';
import { forgetImport } from './import-store';

/** An account's unfinished import, and what was changed in a list of clips before it was imported. */
export const accountImports: AccountData = {
  async describe() {
    if (!isImporting()) return null;
    return {
      lead: 'An import isn’t finished, and logging out stops it. Entries it has already imported stay in your journal.',
      confirm: 'Stop importing and log out',
      stay: { label: 'Keep importing', href: '/upload/import' },
    };
  },
  async delete(account) {
    if (!isImporting()) return forgetImport(account);
    const { discardImport } = await loadCode(() => import('./import-session'));
    await discardImport(account);
  },
};
