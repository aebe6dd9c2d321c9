import { Check } from 'lucide';
import { Icon } from '@/components/ui/icon';
import { ColorDot } from '@/components/ui/tag-dot';
import type { SearchFilters } from '@/lib/journal/search/service';
import type { Tag } from '@/lib/journal/tags/contract';
import { CHIP } from './chip';
import { DateFilter } from './date-filter';
import type { DateRange } from './search-filters';

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
      <span className="truncate">{name}</span>
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
