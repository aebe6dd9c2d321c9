'use client';

import { lazy, Suspense, useState } from 'react';
import { Button } from '@/components/ui/button';

const PlanModal = lazy(() => import('./plan-modal').then((module) => ({ default: module.PlanModal })));

/** The 'Upgrade Plan' button with its modal, which `startOpen` opens by itself. */
export function UpgradePlan({ startOpen = false }: { startOpen?: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const [wanted, setWanted] = useState(startOpen);
  return (
    <>
      <Button
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        Upgrade Plan
      </Button>
      {wanted && (
        <Suspense fallback={null}>
          <PlanModal open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
