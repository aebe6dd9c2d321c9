'use client';

import { Suspense, useRef } from 'react';
import { ENTRY_GRID, EntryCard } from '@/components/entries/entry-card';
import { lazyComponent } from '@/components/ui/load-code';
import type { EntrySummary } from '@/lib/entries/contract';

// Loaded with the first memory, since the landing page has the same address.
const MemoryMenu = lazyComponent(() =>
  import('./memory-menu').then((module) => ({ default: module.MemoryMenu })),
);

/** Shows entries from this day in earlier years, each with a menu to hide it. */
export function Memories({ entries }: { entries: EntrySummary[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="on-this-day" className="flex flex-col gap-4">
      <h2 ref={heading} id="on-this-day" tabIndex={-1} className="heading text-[24px]">
        On This Day
      </h2>
      <div className={ENTRY_GRID}>
        {entries.map((entry) => (
          <div key={entry.id} className="relative min-w-0">
            <EntryCard entry={entry} dateFormat="us" heading="h3" />
            <div className="absolute top-2 right-2 rounded-pill bg-surface shadow-sm">
              <Suspense fallback={<div className="size-11" />}>
                <MemoryMenu entry={entry} onHidden={() => heading.current?.focus()} />
              </Suspense>
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
