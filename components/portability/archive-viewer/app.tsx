import Link from 'next/link';
import { type FormEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Logo } from '@/components/ui/logo';
import { PageHeading } from '@/components/ui/page-heading';
import { useKeyboardShortcuts } from '@/components/ui/use-keyboard-shortcuts';
import { CalendarPage, MonthPage } from './calendar-pages';
import { EntryPage } from './entry-page';
import type { Journal } from './journal';
import { JournalPage } from './journal-page';
import { goTo, journalPath, parseRoute, type Route, searchPath, useHash } from './route';
import { SearchPage } from './search-page';

const NAV_LINK =
  'inline-flex min-h-11 items-center rounded-pill px-3 text-15 font-semibold hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent-ink sm:px-4';

const exportFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useKeyboardShortcuts((key) => (key === '/' ? () => input.current?.focus() : undefined));
  function submit(event: FormEvent) {
    event.preventDefault();
    goTo(searchPath(input.current?.value ?? ''));
  }
  return (
    <search className="ml-auto w-full sm:max-w-80">
      <form onSubmit={submit}>
        <input
          ref={input}
          type="search"
          aria-label="Search your entries"
          aria-keyshortcuts="/"
          dir="auto"
          placeholder="Search your entries"
          autoComplete="off"
          enterKeyHint="search"
          className="control rounded-pill! text-15"
        />
      </form>
    </search>
  );
}

function Header({ route }: { route: Route }) {
  const current = (...pages: Route['page'][]) => (pages.includes(route.page) ? 'page' : undefined);
  return (
    <header className="gutter flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 sm:gap-x-5">
      <Link href="/" className="-mx-1 inline-flex min-h-11 shrink-0 items-center rounded-8 px-1">
        <Logo />
      </Link>
      <nav aria-label="Main" className="flex max-sm:ml-auto">
        <Link href={journalPath({})} aria-current={current('journal')} className={NAV_LINK}>
          Journal
        </Link>
        <Link
          href={journalPath({}, 'calendar')}
          aria-current={current('calendar', 'month')}
          className={NAV_LINK}
        >
          Calendar
        </Link>
      </nav>
      {route.page !== 'search' && <SearchBox />}
    </header>
  );
}

function NotFound() {
  return (
    <PageHeading lead="It isn’t in this archive. Check the link, or find the entry in the journal.">
      We can’t find that page
    </PageHeading>
  );
}

function Page({ journal, route }: { journal: Journal; route: Route }) {
  switch (route.page) {
    case 'journal':
      return <JournalPage journal={journal} tag={route.tag} year={route.year} />;
    case 'calendar':
      return <CalendarPage journal={journal} year={route.year} />;
    case 'month':
      return <MonthPage journal={journal} month={route.month} />;
    case 'search':
      return <SearchPage key={route.query} journal={journal} initial={route.query} />;
    case 'entry': {
      const entry = journal.byId.get(route.id);
      return entry ? (
        <EntryPage key={entry.id} journal={journal} entry={entry} at={route.at} />
      ) : (
        <NotFound />
      );
    }
    case 'unknown':
      return <NotFound />;
  }
}

/** Where each page was scrolled to, in pixels, for coming back to it. */
const scrolledTo = new Map<string, number>();

/** Scrolls a page to where it was left, and moves the focus to it so that screen readers read it. */
function usePageChange(hash: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(hash);
  useEffect(() => {
    // Browsers restore it before the page is as high as it was.
    window.history.scrollRestoration = 'manual';
    const save = () => scrolledTo.set(shown.current, window.scrollY);
    window.addEventListener('scroll', save, { passive: true });
    return () => window.removeEventListener('scroll', save);
  }, []);
  // Before the new page's own scroll events.
  useLayoutEffect(() => {
    shown.current = hash;
  }, [hash]);
  const opened = useRef(hash);
  useEffect(() => {
    const heading = main.current?.querySelector('h1')?.textContent;
    document.title = heading ? `${heading} · Daylight` : 'Daylight';
    if (opened.current === hash) return;
    opened.current = hash;
    main.current?.focus({ preventScroll: true });
    const top = scrolledTo.get(hash) ?? 0;
    // Once lists have measured how wide they are, and have their height.
    const frame = requestAnimationFrame(() => window.scrollTo(0, top));
    return () => cancelAnimationFrame(frame);
  }, [hash]);
  return main;
}

/** The whole viewer. */
export function App({ journal }: { journal: Journal }) {
  const hash = useHash();
  const route = useMemo(() => parseRoute(hash), [hash]);
  const main = usePageChange(hash);
  return (
    <div className="flex min-h-dvh flex-col font-sans">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="sr-only z-50 rounded-8 bg-accent px-4 py-3 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </button>
      <Header route={route} />
      <main
        ref={main}
        tabIndex={-1}
        className="gutter mx-auto flex w-full max-w-page grow flex-col gap-6 py-8 focus:outline-none sm:py-11"
      >
        <Page journal={journal} route={route} />
      </main>
      <footer className="gutter border-t border-line py-5 text-14 text-ink-3">
        {journal.complete ? 'Downloaded' : 'Part of the journal, downloaded'} on{' '}
        {exportFormat.format(new Date(journal.exportedAt))}. This page works without the internet, and nothing
        leaves your device.
      </footer>
    </div>
  );
}
