'use client';

import { EllipsisVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem } from '@/components/ui/menu';
import { formatUsDate, isWithinPast100Years, localToday, parseUsDate, toIso } from '@/lib/entries/calendar';
import type { Entry } from '@/lib/entries/contract';
import { DeleteDialog } from './delete-entry';
import { useInlineEdit, type ValidationResult } from './use-inline-edit';

const EDITABLE =
  '-mx-2 block rounded-8 border border-transparent bg-transparent px-2 hover:border-line-strong focus:border-line-strong focus:bg-surface';

function validateDate(typed: string): ValidationResult {
  const date = parseUsDate(typed);
  if (!date) return { error: 'Invalid date. Must be in MM/DD/YYYY format.' };
  if (!isWithinPast100Years(date, localToday()))
    return { error: 'Invalid date. Must be in the past 100 years.' };
  return { shown: formatUsDate(date), body: { date: toIso(date) } };
}

function validateTitle(typed: string): ValidationResult {
  const title = typed.trim();
  return title ? { shown: title, body: { title } } : { error: 'Must have a title.' };
}

/** Actions on the whole entry. */
function EntryMenu({ id, title }: { id: string; title: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Menu label="More actions" icon={<EllipsisVertical className="size-5" aria-hidden="true" />}>
        <MenuItem danger onSelect={() => setAsking(true)}>
          <Trash2 className="size-4" aria-hidden="true" />
          Delete
        </MenuItem>
      </Menu>
      <DeleteDialog id={id} title={title} open={asking} onOpenChange={setAsking} />
    </>
  );
}

/** Shows an entry's date and title, both edited in place, and its menu. */
export function EntryHeader({ id, title, date }: Pick<Entry, 'id' | 'title' | 'date'>) {
  const editDate = useInlineEdit(id, formatUsDate(date), validateDate);
  const editTitle = useInlineEdit(id, title, validateTitle);
  return (
    <header className="flex items-start justify-between gap-4">
      <div className="min-w-0 grow">
        <h1 className="sr-only">{title}</h1>
        <input
          {...editDate}
          aria-label="Date"
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          className={`${EDITABLE} min-h-11 w-32 text-15 text-ink-3 tabular-nums`}
        />
        <textarea
          {...editTitle}
          aria-label="Title"
          rows={1}
          maxLength={200}
          spellCheck
          className={`${EDITABLE} heading heading-page min-h-13 w-[calc(100%+1rem)] resize-none py-1 [field-sizing:content]`}
        />
      </div>
      <EntryMenu id={id} title={title} />
    </header>
  );
}
