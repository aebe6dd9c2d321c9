'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { lazyPart } from '@/components/ui/load-code';
import type { PlanType } from '@/lib/billing/plans/shared/limits';

const PlanModal = lazyPart(() => import('./plan-modal'), 'PlanModal');

/**
 * The button that opens the plan selection.
 * @param startOpen opens it without a press
 * @param choose opens it without a press, and focuses the button of this plan
 */
export function UpgradePlan({ startOpen = false, choose }: { startOpen?: boolean; choose?: PlanType }) {
  // Null until it's opened for the first time, so that its code isn't loaded before.
  const [open, setOpen] = useState<boolean | null>(startOpen || choose !== undefined || null);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Upgrade Plan</Button>
      {open !== null && <PlanModal open={open} onOpenChange={setOpen} choose={choose} />}
    </>
  );
}
