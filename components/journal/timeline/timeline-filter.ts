import type { GalleryQuery } from '@/components/journal/entries/gallery-href';

/** The timeline's filters, as requests have them. */
export interface TimelineFilter {
  tag: string[] | undefined;
  month: string | undefined;
  notes: 'true' | undefined;
}

/** Returns what a query narrows the timeline down to. */
export const timelineFilter = ({ tag, month, notes }: GalleryQuery): TimelineFilter => ({
  tag: tag && [...tag],
  month,
  notes: notes ? 'true' : undefined,
});
