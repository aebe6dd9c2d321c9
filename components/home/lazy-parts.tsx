'use client';

import { lazyPart } from '@/components/ui/load-code';

// Loaded only where they're shown, since the landing page has the same address as the dashboard.
export const LazyQuestion = lazyPart(() => import('./question'), 'Question');
export const LazyMemories = lazyPart(() => import('./memories'), 'Memories');
export const LazyYearDots = lazyPart(() => import('./year-dots'), 'YearDots');
export const LazyInvitation = lazyPart(() => import('./onboarding/invitation'), 'Invitation');
export const LazyReminderOffer = lazyPart(() => import('./onboarding/reminder-offer'), 'ReminderOffer');
