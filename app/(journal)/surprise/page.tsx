import { redirect } from 'next/navigation';
import { entryHref } from '@/components/journal/entries/entry-href';
import { requireUser } from '@/lib/account/sessions/guards';
import { getRandomEntry } from '@/lib/journal/memories/service';

/** Opens a random entry that isn't hidden. */
export default async function SurprisePage() {
  const user = await requireUser();
  const entry = await getRandomEntry(user.id);
  redirect(entry ? entryHref(entry) : '/journals');
}
