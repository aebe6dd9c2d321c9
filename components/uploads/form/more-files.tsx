import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showProblem } from '@/components/ui/show-error';
import type { UploadRequest } from '@/components/uploads/queue/send-upload';
import { discardShared, sharedIds } from '@/components/uploads/shared/shared-videos';
import { type CalendarDate, formatUsDate } from '@/lib/entries/calendar';
import type { FileLimits } from '@/lib/plans/file-limits';
import { EntryFields, type FieldErrors, type FieldValues, validateFields } from './entry-fields';
import { loadChosenFile } from './load-chosen-file';

/** An additional file to upload, with its own title and date. */
interface AdditionalFile {
  id: string;
  file: File;
  typed: FieldValues;
  errors: FieldErrors;
}

/** Manages additional files. Suggests each one's title and date from the file. */
export function useMoreFiles(limits: FileLimits) {
  const [files, setFiles] = useState<readonly AdditionalFile[]>([]);

  async function add(chosen: readonly File[]): Promise<void> {
    const { readChosenFile } = await loadChosenFile();
    for (const one of chosen) {
      const read = await readChosenFile(one, limits);
      if ('problem' in read) {
        showProblem(read.problem);
        continue;
      }
      const { video: file, suggested } = read;
      const typed = { title: suggested.title, date: formatUsDate(suggested.date) };
      const id = sharedIds.get(file) ?? crypto.randomUUID();
      setFiles((before) => [...before, { id, file, typed, errors: {} }]);
    }
  }

  const change = (id: string, to: (file: AdditionalFile) => AdditionalFile) =>
    setFiles((before) => before.map((file) => (file.id === id ? to(file) : file)));

  return {
    files,
    add,
    remove(id: string) {
      const removed = files.find((file) => file.id === id);
      if (removed) void discardShared(removed.file);
      setFiles((before) => before.filter((file) => file.id !== id));
    },
    type: (id: string, typed: Partial<FieldValues>) =>
      change(id, (file) => ({ ...file, typed: { ...file.typed, ...typed }, errors: {} })),
    /** Returns what to upload, or shows what's invalid and returns null. */
    check(): UploadRequest[] | null {
      const requests: UploadRequest[] = [];
      for (const { id, file, typed } of files) {
        const checked = validateFields(typed);
        if ('values' in checked) requests.push({ id, file, ...checked.values });
        else change(id, (before) => ({ ...before, errors: checked.errors }));
      }
      return requests.length === files.length ? requests : null;
    },
    clear: () => setFiles([]),
  };
}

/** Adds more videos, each with its own title and date. */
export function MoreFiles({
  more,
  today,
  disabled,
}: {
  more: ReturnType<typeof useMoreFiles>;
  today: CalendarDate | null;
  disabled: boolean;
}) {
  return (
    <>
      {more.files.map(({ id, file, typed, errors }) => (
        <fieldset key={id} className="flex min-w-0 flex-col gap-4 border-t border-line pt-5">
          <legend className="sr-only">{file.name}</legend>
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1 basis-32 break-words text-15 font-semibold">{file.name}</p>
            <Button
              variant="secondary"
              size="sm"
              disabled={disabled}
              aria-label={`Remove ${file.name}`}
              onClick={() => more.remove(id)}
            >
              Remove
            </Button>
          </div>
          <EntryFields
            typed={typed}
            errors={errors}
            today={today}
            disabled={disabled}
            onType={(change) => more.type(id, change)}
          />
        </fieldset>
      ))}
      <label className="inline-flex min-h-11 cursor-pointer items-center justify-center rounded-pill border border-line-strong bg-surface px-3.5 text-14 font-semibold hover:bg-sunken has-[:disabled]:cursor-default has-[:disabled]:opacity-55 has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus">
        Add more files
        <input
          type="file"
          multiple
          accept="video/*,.mkv,.mov,.m4v,.webm"
          disabled={disabled}
          className="sr-only"
          onChange={(event) => {
            const chosen = [...(event.target.files ?? [])];
            event.target.value = '';
            void more.add(chosen);
          }}
        />
      </label>
    </>
  );
}
