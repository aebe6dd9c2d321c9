import { type Dispatch, type FormEvent, type ReactNode, useState } from 'react';
import { TagFields } from '@/components/journal/tags/tag-fields';
import { MAX_TITLE } from '@/components/portability/imports/sources/clip-text';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextField } from '@/components/ui/field';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { Tag } from '@/lib/journal/tags/contract';
import { describeSource, describeStatus } from './describe-row';
import { checkDate, checkTitle, foundDates, type ReviewRow, type RowChange } from './review-row';
import type { ReviewAction } from './review-state';
import { asTags } from './review-tags';

interface EditFormProps {
  row: ReviewRow;
  knownTags: ReadonlyMap<string, Tag>;
  allTags: readonly Tag[];
  dispatch: Dispatch<ReviewAction>;
  onClose: () => void;
}

/** Offers the dates that were found, as a list of buttons. */
function FoundDates({
  row,
  date,
  onPick,
}: {
  row: ReviewRow;
  /** The date in the field. */
  date: string;
  onPick: (date: string, source: ReviewRow['source']) => void;
}) {
  const others = foundDates(row).filter((found) => found.date !== date);
  if (others.length === 0) return null;
  return (
    <ul aria-label="Other dates that were found" className="flex flex-wrap gap-2">
      {others.map((found) => (
        <li key={`${found.source} ${found.date}`}>
          <Button variant="secondary" size="sm" onClick={() => onPick(found.date, found.source)}>
            <span className="tabular-nums">
              {found.date} <span className="font-normal text-ink-2">{describeSource(found.source)}</span>
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function EditForm({ row, knownTags, allTags, dispatch, onClose }: EditFormProps) {
  const [title, setTitle] = useState(row.title);
  const [{ date, source }, setDate] = useState<Pick<ReviewRow, 'date' | 'source'>>(row);
  const [tags, setTags] = useState(row.tags);
  const [errors, setErrors] = useState<{ title?: string; date?: string }>({});
  const [isConfirmed, setConfirmed] = useState(false);
  const shownTags = asTags(tags, knownTags);
  const status = describeStatus(row);
  const isSameDate = date === row.date && source === row.source;

  function edit(changes: readonly RowChange[]) {
    dispatch({ type: 'edit', ids: [row.id], changes });
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // What was wrong before may stay, so that the rest can be changed.
    const found = {
      title: title === row.title ? undefined : (checkTitle(title) ?? undefined),
      date: isSameDate ? undefined : (checkDate(date) ?? undefined),
    };
    setErrors(found);
    if (found.title || found.date) return;
    const changes: RowChange[] = [
      { kind: 'title', title },
      { kind: 'tags', tags },
    ];
    if (!isSameDate) changes.push({ kind: 'date', date, source });
    if (isConfirmed) changes.push({ kind: 'confirm' });
    edit(changes);
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {status && <p className="text-14 text-ink-2">{status.text}</p>}
      <TextField
        label="Title"
        autoComplete="off"
        maxLength={MAX_TITLE}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        error={errors.title}
      />
      <div className="flex flex-col gap-2">
        <TextField
          label="Date (MM/DD/YYYY)"
          hint={date ? describeSource(source) : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={date}
          onChange={(event) => setDate({ date: event.target.value, source: 'you' })}
          error={errors.date}
        />
        <FoundDates row={row} date={date} onPick={(date, source) => setDate({ date, source })} />
        {row.warning && isSameDate && (
          <label className="flex min-h-11 items-center gap-2.5 text-15">
            <input
              type="checkbox"
              checked={isConfirmed}
              onChange={(event) => setConfirmed(event.target.checked)}
              className="size-5 accent-accent"
            />
            This date looks right
          </label>
        )}
      </div>
      <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
        <legend className="pb-1.5 text-14 font-semibold">Tags</legend>
        <TagFields
          tags={shownTags}
          all={allTags}
          onAdd={({ name }) => setTags([...tags, name])}
          onCreate={async (name) => setTags([...tags, name])}
          onRemove={(tag) => setTags(shownTags.flatMap((one) => (one.id === tag.id ? [] : one.name)))}
        />
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
        {row.problem === null && (
          <Button
            variant="secondary"
            onClick={() => edit([{ kind: 'include', isIncluded: !row.isIncluded }])}
          >
            {row.isIncluded ? 'Leave out' : 'Include'}
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Shows a clip and edits all of it. */
export function EditDialog({
  open,
  preview,
  ...form
}: EditFormProps & { open: boolean; preview: ReactNode }) {
  const { row, onClose } = form;
  const name = row.path ? `${row.path}/${row.name}` : row.name;
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={row.title || row.name}
      description={`${name}, ${formatBytes(row.bytes)}`}
    >
      <div className="flex flex-col gap-4">
        {preview}
        <EditForm {...form} />
      </div>
    </Dialog>
  );
}
