'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';

/**
 * Cancels the account's deletion.
 * @param then the page that opens afterwards
 */
export function KeepAccount({
  then,
  size,
  className,
}: {
  then: string;
  size?: 'sm' | 'lg';
  className?: string;
}) {
  const [busy, setBusy] = useState(false);
  async function keep() {
    setBusy(true);
    try {
      await call('POST /account_deletion/cancel');
      // A full page load, so that no page still says that the account will be deleted.
      window.location.assign(then);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  }
  return (
    <Button {...(size && { size })} className={className} busy={busy} onClick={() => void keep()}>
      Keep my account
    </Button>
  );
}
