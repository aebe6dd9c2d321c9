import { CalendarDays } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { Field } from '@/components/ui/field';
import { positionPopover } from '@/components/ui/menu';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { type CalendarDate, formatUsDate, parseUsDate } from '@/lib/entries/calendar';

const DatePicker = lazy(() => import('./date-picker'));

/** Takes a date typed as MM/DD/YYYY or picked from a calendar, which loads when it's opened. */
export function DateField({
  value,
  onChange,
  error,
  today,
  disabled,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  today: CalendarDate | null;
  disabled: boolean;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const typed = usePrehydrationInput<HTMLInputElement>((input) => onChange(input.value));
  const arrange = () => {
    if (popover.current && button.current) positionPopover(popover.current, button.current);
  };
  return (
    <Field label="Date" error={error}>
      {(control) => (
        <span className="relative block">
          <input
            ref={typed}
            {...control}
            className="control pr-12 tabular-nums"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder="Select a date in the past"
            autoComplete="off"
            disabled={disabled}
            required
          />
          <button
            ref={button}
            type="button"
            popoverTarget={id}
            disabled={disabled}
            aria-label="Open calendar"
            aria-expanded={open}
            className="absolute top-0 right-0 grid size-11 place-items-center rounded-12 text-ink-2 hover:text-ink"
          >
            <CalendarDays className="size-5" aria-hidden="true" />
          </button>
          <div
            ref={popover}
            id={id}
            popover="auto"
            onToggle={(event) => {
              setOpen(event.newState === 'open');
              arrange();
            }}
            className="fixed inset-auto m-0 max-w-[calc(100vw-12px)] rounded-12 border border-line bg-surface p-3 text-ink shadow-lg"
          >
            {open && today && (
              <Suspense fallback={<p role="status">Loading...</p>}>
                <DatePicker
                  selected={parseUsDate(value)}
                  today={today}
                  onShown={arrange}
                  onSelect={(date) => {
                    onChange(formatUsDate(date));
                    popover.current?.hidePopover();
                  }}
                />
              </Suspense>
            )}
          </div>
        </span>
      )}
    </Field>
  );
}
