import { type FormEvent, useMemo, useState } from 'react';
import { DateForm } from '@/components/journal/selection/date-form';
import { TagForm } from '@/components/journal/selection/tag-form';
import { MAX_TITLE } from '@/components/portability/imports/sources/clip-text';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { formatUsDate, parseUsDate } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import { countClips } from './describe-row';
import { checkTitle, type ReviewRow, type RowChange } from './review-row';
import { asTags } from './review-tags';

// The forms are components of their own, so that nothing is computed for thousands of rows while a dialog is closed.

interface FormProps {
  /** The selected rows. */
  rows: readonly ReviewRow[];
  onClose: () => void;
  /** Changes the selected rows. */
  onChange: (change: RowChange) => void;
}

/** Sets one date for the rows, or moves each date by a number of days. Rows without a date aren't moved. */
export function RowsDateForm({ rows, onClose, onChange }: FormProps) {
  return (
    <DateForm
      initial={rows[0]?.date ?? ''}
      dates={rows.flatMap(({ date }) => parseUsDate(date) ?? [])}
      describeCount={countClips}
      isBusy={false}
      onSubmit={(change) => {
        onChange(
          'date' in change
            ? { kind: 'date', date: formatUsDate(change.date), source: 'you' }
            : { kind: 'shift', days: change.days },
        );
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

interface ReviewTags {
  knownTags: ReadonlyMap<string, Tag>;
  allTags: readonly Tag[];
}

/** Adds tags to the rows and removes them. */
export function RowsTagForm({ rows, onClose, onChange, knownTags, allTags }: FormProps & ReviewTags) {
  const tagged = useMemo(() => rows.map(({ tags }) => asTags(tags, knownTags)), [rows, knownTags]);
  const nameOf = (id: string) => allTags.find((tag) => tag.id === id)?.name ?? id;
  return (
    <TagForm
      saved={allTags}
      tagged={tagged}
      isBusy={false}
      onSubmit={({ add, remove, create }) => {
        onChange({ kind: 'retag', add: [...add.map(nameOf), ...create], remove: remove.map(nameOf) });
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

/** Sets one title for the rows. */
export function RowsTitleForm({ onChange, onClose }: FormProps) {
  const [title, setTitle] = useState('');
  const [error, setError] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = checkTitle(title);
    if (wrong) return setError(wrong);
    onChange({ kind: 'title', title });
    onClose();
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Title"
        autoComplete="off"
        maxLength={MAX_TITLE}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        error={error}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Set title</Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
