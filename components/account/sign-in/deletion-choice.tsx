'use client';

import { useState } from 'react';
import { KeepAccount } from '@/components/account/settings/keep-account';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';

/**
 * Offers to keep an account that's going to be deleted, or to decide later.
 * @param next the page that opens afterwards, checked by `safeNextPath`
 */
export function DeletionChoice({ next }: { next: string }) {
  const [busy, setBusy] = useState(false);
  async function decideLater() {
    setBusy(true);
    try {
      await call('POST /account_deletion/acknowledge');
      window.location.assign(next);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  }
  return (
    <div className="flex flex-wrap gap-3">
      <KeepAccount then={next} size="lg" />
      <Button variant="secondary" size="lg" busy={busy} onClick={() => void decideLater()}>
        Decide later
      </Button>
    </div>
  );
}
