'use client';

import Form from 'next/form';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

/** Whether keys go to a text that is being written. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}

/** The search box of the navigation, on every page but the search page. The key `/` goes to it. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const hidden = usePathname() === '/search';

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target))
        return;
      if (!input.current) return;
      event.preventDefault();
      input.current.focus();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  if (hidden) return null;
  return (
    <Form action="/search" role="search" className="relative ml-auto w-full max-w-80 min-w-0">
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
    </Form>
  );
}
