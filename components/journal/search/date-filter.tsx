import { ChevronDown } from 'lucide';
import { useFormatDate } from '@/components/journal/entries/entry-date';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { usePopover } from '@/components/ui/popover';
import { localToday } from '@/lib/journal/entries/shared/calendar';
import { CHIP } from './chip';
import { ANY_DATE, commonRanges, type DateRange, rangeText } from './search-filters';

/**
 * A chip that opens the dates to search in. The browser opens it by itself, so it works without script; the choices of one
 * press depend on today's date here, and are only shown with script.
 */
export function DateFilter({
  initial,
  range,
  onChoose,
}: {
  /** What the inputs start with. */
  initial: DateRange;
  /** What's searched. */
  range: DateRange;
  onChoose: (range: DateRange) => void;
}) {
  const popover = usePopover<HTMLFieldSetElement>({ edge: 'left' });
  const formatDate = useFormatDate();
  const isSet = Boolean(range.from || range.to);

  function choose(chosen: DateRange) {
    onChoose(chosen);
    popover.close();
  }

  return (
    <>
      <button
        {...popover.button}
        className={`${CHIP} ${isSet ? 'border-accent-soft bg-accent-soft font-semibold text-accent-ink' : ''}`}
      >
        <span className="sr-only">Date: </span>
        {rangeText(range, formatDate)}
        <Icon of={ChevronDown} className="size-4 shrink-0" aria-hidden="true" />
      </button>
      <fieldset
        {...popover.panel}
        aria-label="Date"
        className="fixed w-[min(22rem,calc(100vw-16px))] rounded-18 border border-line bg-surface p-4 text-ink shadow-lg"
      >
        <div className="flex flex-col gap-4">
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3">
            <TextField label="From" type="date" name="dateRange" defaultValue={initial.from} />
            <TextField label="To" type="date" name="to" defaultValue={initial.to} />
          </div>
          <div className="flex flex-wrap gap-2 empty:hidden">
            {popover.isOpen &&
              Object.entries(commonRanges(localToday())).map(([name, one]) => (
                <Button key={name} variant="secondary" size="sm" onClick={() => choose(one)}>
                  {name}
                </Button>
              ))}
            {popover.isOpen && isSet && (
              <Button variant="ghost" size="sm" onClick={() => choose(ANY_DATE)}>
                Any date
              </Button>
            )}
          </div>
        </div>
      </fieldset>
    </>
  );
}
