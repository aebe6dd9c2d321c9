import { usePathname, useRouter } from 'next/navigation';
import { type FormEvent, useRef } from 'react';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';

/** The navigation's search box, on every page but the search page. `/` focuses it, and `R` opens the recorder. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const path = usePathname();
  const hidden = path === '/search';

  useKeyboardShortcuts((key) => {
    if (key === '/' && input.current) return () => input.current?.focus();
    if (key === 'r' && path !== '/upload') return () => router.push('/upload');
  });

  // Not next/form, whose prefetching would add a kilobyte to every page, even for visitors.
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    router.push(`/search?${new URLSearchParams({ query: input.current?.value ?? '' })}`);
  }

  if (hidden) return null;
  return (
    <search className="relative ml-auto w-full max-w-80 min-w-0">
      <form action="/search" onSubmit={submit}>
        <input
          ref={input}
          type="search"
          name="query"
          aria-label="Search your entries"
          aria-keyshortcuts="/"
          placeholder="Search your entries"
          autoComplete="off"
          enterKeyHint="search"
          className="control peer rounded-pill! text-15 sm:pr-9"
        />
        <kbd className="pointer-events-none absolute top-1/2 right-4 hidden -translate-y-1/2 font-sans text-14 text-ink-3 peer-focus:hidden sm:block">
          /
        </kbd>
      </form>
    </search>
  );
}
