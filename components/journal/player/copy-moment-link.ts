import { toast } from '@/components/ui/toast';

/**
 * Copies a link to a moment of an entry, and says so. Whoever opens it has to log in as the entry's owner.
 * @param seconds the moment; fractions are dropped
 */
export async function copyMomentLink(entryId: string, seconds: number): Promise<void> {
  const { origin } = window.location;
  try {
    await navigator.clipboard.writeText(`${origin}/entry/${entryId}?t=${Math.floor(seconds)}`);
    toast.success('Link copied. Only you can open it, after logging in.');
  } catch {
    // Browsers refuse without permission, and have no clipboard where the connection isn't secure.
    toast.error(
      'Your browser didn’t let us copy the link. Allow the clipboard for this site, and try again.',
    );
  }
}
