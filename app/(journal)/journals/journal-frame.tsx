import type { ReactNode } from 'react';
import { type GalleryQuery, galleryHref } from '@/components/journal/entries/gallery-href';
import { JournalViews } from '@/components/journal/entries/journal-views';
import { ButtonLink } from '@/components/ui/button';
import { PageHeading } from '@/components/ui/page-heading';

/** The heading of the journal and its views, above one of them. */
export function JournalFrame({ query, children }: { query: GalleryQuery; children: ReactNode }) {
  return (
    <div className="gutter mx-auto flex w-full max-w-page flex-col gap-5 py-8 sm:py-11">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <PageHeading>My Journal Entries</PageHeading>
        <JournalViews query={query} />
      </div>
      {children}
    </div>
  );
}

/** What a view shows if nothing matches its filters. */
export function NoMatches({ query }: { query: GalleryQuery }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-16 text-ink-2">No entries match these filters.</p>
      <ButtonLink href={galleryHref({ view: query.view })} variant="secondary">
        Show all entries
      </ButtonLink>
    </div>
  );
}
