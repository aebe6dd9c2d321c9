import { Check, ChevronDown } from 'lucide';
import { useFormatDate } from '@/components/journal/entries/entry-date';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { usePopover } from '@/components/ui/popover';
import { ColorDot } from '@/components/ui/tag-dot';
import { localToday } from '@/lib/journal/entries/shared/calendar';
import type { SearchFilters } from '@/lib/journal/search/service';
import type { Tag } from '@/lib/journal/tags/contract';
import { ANY_DATE, commonRanges, type DateRange, rangeText } from './search-filters';

/** The look of a filter: a pill in a row that scrolls on phones. */
const CHIP =
  'relative inline-flex min-h-11 shrink-0 cursor-pointer items-center gap-2 rounded-pill border border-line px-4 text-14 text-ink-2 hover:border-line-strong hover:text-ink';

/**
 * A chip that opens the dates to search in. The browser opens it by itself, so it works without script; the choices of one
 * press depend on today's date here, and are only shown with script.
 */
function DateFilter({
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

function TagChip({ tag: { id, name, color }, chosen }: { tag: Tag; chosen: boolean }) {
  return (
    <label
      className={`${CHIP} group max-w-60 has-checked:border-accent-soft has-checked:bg-accent-soft has-checked:font-semibold has-checked:text-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus`}
    >
      <input
        type="checkbox"
        name="categories"
        value={id}
        defaultChecked={chosen}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <Icon of={Check} className="hidden size-4 shrink-0 group-has-checked:block" aria-hidden="true" />
      <ColorDot color={color} />
      <span dir="auto" className="truncate">
        {name}
      </span>
    </label>
  );
}

/** The filters: the dates, and a chip for each tag. On phones, one row that scrolls. */
export function FilterChips({
  tags,
  initial,
  filters,
  onChoose,
}: {
  tags: Tag[];
  /** What the inputs start with. */
  initial: SearchFilters;
  /** What's searched. */
  filters: SearchFilters;
  onChoose: (range: DateRange) => void;
}) {
  return (
    <div className="-my-1.5 min-w-0 py-1.5 max-sm:-mx-[clamp(16px,4vw,40px)] max-sm:overflow-x-auto max-sm:px-[clamp(16px,4vw,40px)]">
      <div className="flex w-max gap-2 sm:w-auto sm:flex-wrap">
        <DateFilter initial={initial} range={filters} onChoose={onChoose} />
        {tags.length > 0 && (
          <fieldset className="contents">
            <legend className="sr-only">Tags</legend>
            {tags.map((tag) => (
              <TagChip key={tag.id} tag={tag} chosen={initial.categories.includes(tag.id)} />
            ))}
          </fieldset>
        )}
      </div>
    </div>
  );
}
