'use client';

import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '@/components/ui/load-code';

// Loaded after the page, whose HTML has them already: all pages of the settings share one set of scripts.
const PreferencesForm = lazyComponent(() => import('./preferences-form'), 'PreferencesForm');
const WeeklyLetterForm = lazyComponent(
  () => import('@/components/reminders/weekly-letter-form'),
  'WeeklyLetterForm',
);
const TagSettings = lazyComponent(() => import('@/components/journal/tags/tag-settings'), 'TagSettings');
const HiddenMemories = lazyComponent(() => import('./hidden-memories'), 'HiddenMemories');
const TrashList = lazyComponent(() => import('@/components/journal/trash/trash-list'), 'TrashList');

export function LazyPreferencesForm(props: ComponentProps<typeof PreferencesForm>) {
  return (
    <Suspense>
      <PreferencesForm {...props} />
    </Suspense>
  );
}

export function LazyWeeklyLetterForm(props: ComponentProps<typeof WeeklyLetterForm>) {
  return (
    <Suspense>
      <WeeklyLetterForm {...props} />
    </Suspense>
  );
}

export function LazyTagSettings(props: ComponentProps<typeof TagSettings>) {
  return (
    <Suspense>
      <TagSettings {...props} />
    </Suspense>
  );
}

export function LazyHiddenMemories(props: ComponentProps<typeof HiddenMemories>) {
  return (
    <Suspense>
      <HiddenMemories {...props} />
    </Suspense>
  );
}

export function LazyTrashList(props: ComponentProps<typeof TrashList>) {
  return (
    <Suspense>
      <TrashList {...props} />
    </Suspense>
  );
}
