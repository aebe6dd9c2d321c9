import { TextField } from '@/components/ui/field';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import type { CalendarDate } from '@/lib/entries/calendar';
import { DateField } from './date-field';
import type { FieldErrors, FieldValues } from './validate-fields';

/** The date and the title of a video that is going to be uploaded. */
export function EntryFields({
  typed,
  errors,
  today,
  disabled,
  onType,
}: {
  typed: FieldValues;
  errors: FieldErrors;
  today: CalendarDate | null;
  disabled: boolean;
  onType: (change: Partial<FieldValues>) => void;
}) {
  const title = usePrehydrationInput<HTMLInputElement>(({ value }) => onType({ title: value }));
  return (
    <>
      <DateField
        value={typed.date}
        onChange={(date) => onType({ date })}
        error={errors.date}
        today={today}
        disabled={disabled}
      />
      <TextField
        ref={title}
        label="Title"
        name="title"
        value={typed.title}
        onChange={(event) => onType({ title: event.target.value })}
        error={errors.title}
        maxLength={200}
        autoComplete="off"
        disabled={disabled}
        required
      />
    </>
  );
}
