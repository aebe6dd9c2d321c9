import { notFound, redirect } from 'next/navigation';
import { entryHref } from '@/components/journal/entries/entry-href';
import { galleryHref } from '@/components/journal/entries/gallery-href';
import { requireUser } from '@/lib/account/sessions/guards';
import { journalDay } from '@/lib/journal/entries/gallery';
import { fromIso } from '@/lib/journal/entries/shared/calendar';

/** Opens the entry of a day (`YYYY-MM-DD`), or the calendar of its month if there's none, or more than one. */
export default async function DayPage({ params }: PageProps<'/day/[date]'>) {
  const user = await requireUser();
  const { date } = await params;
  if (!fromIso(date)) notFound();
  const [entry, another] = await journalDay(user.id, date);
  redirect(entry && !another ? entryHref(entry) : galleryHref({ view: 'calendar', month: date.slice(0, 7) }));
}
