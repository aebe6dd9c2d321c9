'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { LocalTime } from '@/components/ui/local-time';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';

/** Returns what makes a call and then opens a page, and whether that's under way. */
function useCallThenOpen(makeCall: () => Promise<unknown>, path: string) {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      await makeCall();
      // A full page load, so that no page still says that the account will be deleted.
      window.location.assign(path);
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  }
  return { busy, onClick: () => void run() };
}

/**
 * Cancels the account's deletion.
 * @param then the page that opens afterwards
 */
export function KeepAccount({ then, ...style }: { then: string; size?: 'sm' | 'lg'; className?: string }) {
  return (
    <Button {...style} {...useCallThenOpen(() => call('POST /account_deletion/cancel'), then)}>
      Keep my account
    </Button>
  );
}

/**
 * Offers to keep an account that's going to be deleted, or to decide later.
 * @param next the page that opens afterwards, checked by `safeNextPath`
 */
export function DeletionChoice({ next }: { next: string }) {
  const later = useCallThenOpen(() => call('POST /account_deletion/acknowledge'), next);
  return (
    <div className="flex flex-wrap gap-3">
      <KeepAccount then={next} size="lg" />
      <Button variant="secondary" size="lg" {...later}>
        Decide later
      </Button>
    </div>
  );
}

/** Says on every page of the settings when the account will be deleted. @param erasesAt ISO 8601 */
export function DeletionNotice({ erasesAt }: { erasesAt: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-12 bg-sunken py-2 pr-2 pl-4">
      <p className="text-15">
        Your account will be deleted on <LocalTime iso={erasesAt} />.
      </p>
      <KeepAccount then="/settings" size="sm" />
    </div>
  );
}
