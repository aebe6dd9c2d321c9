import { Button } from '@/components/ui/button';
import type { CalendarDate } from '@/lib/journal/entries/shared/calendar';
import { EntryFields } from './entry-fields';
import type { useMoreFiles } from './use-more-files';
import { VIDEO_ACCEPT } from './video-accept';

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
            <p dir="auto" className="min-w-0 flex-1 basis-32 break-words text-15 font-semibold">
              {file.name}
            </p>
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
          accept={VIDEO_ACCEPT}
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
