'use client';

import { Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';
import { lazyComponent } from '@/components/ui/load-code';

const PlanModal = lazyComponent(() =>
  import('./plan-modal').then((module) => ({ default: module.PlanModal })),
);

/** The button that opens the plan selection. @param startOpen opens it without a press */
export function UpgradePlan({ startOpen = false }: { startOpen?: boolean }) {
  // Null until it's opened for the first time, so that its code isn't loaded before.
  const [open, setOpen] = useState<boolean | null>(startOpen || null);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Upgrade Plan</Button>
      {open !== null && (
        <Suspense fallback={null}>
          <PlanModal open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
