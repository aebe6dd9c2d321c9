'use client';

import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';

// Loaded only where they're shown, since the landing page has the same address as the dashboard.
const Invitation = lazyComponent(() => import('./invitation'), 'Invitation');
const ReminderOffer = lazyComponent(() => import('./reminder-offer'), 'ReminderOffer');

export function LazyInvitation(props: ComponentProps<typeof Invitation>) {
  return (
    <Suspense>
      <Invitation {...props} />
    </Suspense>
  );
}

export function LazyReminderOffer(props: ComponentProps<typeof ReminderOffer>) {
  return (
    <Suspense>
      <ReminderOffer {...props} />
    </Suspense>
  );
}
