'use client';

import { ENTRY_GRID, EntryCard } from '@/components/entries/entry-card';
import type { EntrySummary } from '@/lib/entries/contract';
import { MEMORIES_HEADING_ID } from './memories-heading-id';
import { MemoryActions } from './memory-actions';

/** Entries of this day in earlier years, each with a way to hide it; nothing where there are none. */
export function Memories({ entries }: { entries: EntrySummary[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby={MEMORIES_HEADING_ID} className="flex flex-col gap-4">
      <h2 id={MEMORIES_HEADING_ID} tabIndex={-1} className="heading text-[24px]">
        On This Day
      </h2>
      <div className={ENTRY_GRID}>
        {entries.map((entry) => (
          <div key={entry.id} className="relative min-w-0">
            <EntryCard entry={entry} dateFormat="us" heading="h3" />
            <div className="absolute top-2 right-2 rounded-pill bg-surface shadow-sm">
              <MemoryActions entry={entry} />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
