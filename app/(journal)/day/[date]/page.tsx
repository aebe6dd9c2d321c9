import { notFound, redirect } from 'next/navigation';
import { entryHref } from '@/components/entries/entry-href';
import { galleryHref } from '@/components/entries/gallery-href';
import { fromIso } from '@/lib/entries/calendar';
import { journalDay } from '@/lib/entries/gallery';
import { requireUser } from '@/lib/sessions/guards';

/** Opens the entry of a day (`YYYY-MM-DD`), or the calendar of its month if there's none, or more than one. */
export default async function DayPage({ params }: { params: Promise<{ date: string }> }) {
  const user = await requireUser();
  const { date } = await params;
  if (!fromIso(date)) notFound();
  const [entry, another] = await journalDay(user.id, date);
  redirect(entry && !another ? entryHref(entry) : galleryHref({ view: 'calendar', month: date.slice(0, 7) }));
}
