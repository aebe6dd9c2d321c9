'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { TagDot } from '@/components/ui/tag-dot';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import { type DateFormat, formatDate } from '@/lib/journal/entries/shared/date-format';
import type { HiddenMemory } from '@/lib/journal/memories/contract';

function renderLabel({ entry, tag, date }: HiddenMemory, dateFormat: DateFormat) {
  if (tag) {
    return (
      <span className="flex flex-wrap items-center gap-x-2">
        Entries tagged <TagDot name={tag.name} color={tag.color} />
      </span>
    );
  }
  if (date) return <>Entries from {formatDate(date, dateFormat)}</>;
  return (
    <>
      <span>{`“${entry?.title}” `}</span>
      {entry && <span className="text-14 text-ink-3">{formatDate(entry.date, dateFormat)}</span>}
    </>
  );
}

/** Lists what On This Day leaves out, with buttons to show each again. */
export function HiddenMemories({
  memories,
  dateFormat,
}: {
  memories: readonly HiddenMemory[];
  dateFormat: DateFormat;
}) {
  const [shownAgain, setShownAgain] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState<string | null>(null);

  async function show(id: string) {
    setBusy(id);
    try {
      await call('DELETE /memories/hidden/:id', { params: { id } });
      setShownAgain((before) => [...before, id]);
      toast.success('It can show up in your memories again.');
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  }

  const hidden = memories.filter(({ id }) => !shownAgain.includes(id));
  return (
    <div className="flex flex-col gap-4">
      {hidden.length === 0 && <p className="text-15 text-ink-2">Nothing is hidden.</p>}
      <ul className="flex flex-col gap-3 empty:hidden">
        {hidden.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center justify-between gap-3 rounded-12 border border-line py-2 pr-2 pl-4"
          >
            <p id={`hidden-${one.id}`} className="min-w-0 text-16 break-words">
              {renderLabel(one, dateFormat)}
            </p>
            <Button
              size="sm"
              variant="secondary"
              busy={busy === one.id}
              aria-describedby={`hidden-${one.id}`}
              onClick={() => void show(one.id)}
            >
              Show again
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
