import { Search, X } from 'lucide';
import { useRef } from 'react';
import { Icon } from '@/components/ui/icon';

/** The text box with its Search button, which is an icon on phones. It's the page's title to the eye. */
export function SearchField({ initial, onClear }: { initial: string; onClear: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex min-h-14 items-center rounded-pill border border-line-strong bg-surface pr-1 pl-1 shadow-sm focus-within:border-accent focus-within:ring-3 focus-within:ring-accent-soft sm:min-h-16 sm:pr-2 sm:pl-5">
      <Icon of={Search} className="size-5 shrink-0 text-ink-2 max-sm:hidden" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        name="query"
        aria-label="Search your entries"
        placeholder="Search your entries"
        defaultValue={initial}
        autoComplete="off"
        enterKeyHint="search"
        maxLength={500}
        className="peer h-14 min-w-0 grow bg-transparent px-1.5 font-serif text-[24px] text-ink outline-none placeholder:text-ink-3 max-[359px]:text-20 sm:h-16 sm:px-3.5 [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="button"
        aria-label="Clear text"
        onClick={() => {
          if (!input.current) return;
          input.current.value = '';
          input.current.focus();
          onClear();
        }}
        className="grid size-11 shrink-0 place-items-center rounded-pill text-ink-2 peer-placeholder-shown:hidden hover:bg-sunken hover:text-ink"
      >
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
      <button
        type="submit"
        className="inline-flex size-11 shrink-0 items-center justify-center rounded-pill text-ink-2 max-sm:order-first hover:bg-sunken sm:ml-1.5 sm:h-12 sm:w-auto sm:bg-accent sm:px-5 sm:text-15 sm:font-semibold sm:text-on-accent sm:hover:bg-accent-hover"
      >
        <Icon of={Search} className="size-5 sm:hidden" aria-hidden="true" />
        <span className="max-sm:sr-only">Search</span>
      </button>
    </div>
  );
}
