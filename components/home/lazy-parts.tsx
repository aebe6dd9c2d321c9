'use client';

import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';

// Loaded only where they're shown, since the landing page has the same address as the dashboard.
const Question = lazyComponent(() => import('./question'), 'Question');
const Memories = lazyComponent(() => import('./memories'), 'Memories');
const YearDots = lazyComponent(() => import('./year-dots'), 'YearDots');

export const LazyQuestion = (props: ComponentProps<typeof Question>) => (
  <Suspense>
    <Question {...props} />
  </Suspense>
);

export const LazyMemories = (props: ComponentProps<typeof Memories>) => (
  <Suspense>
    <Memories {...props} />
  </Suspense>
);

export const LazyYearDots = (props: ComponentProps<typeof YearDots>) => (
  <Suspense>
    <YearDots {...props} />
  </Suspense>
);
