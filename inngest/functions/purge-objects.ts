import type { Inngest } from 'inngest';
import { entryPurged } from '@/lib/outbox/events';
import { purgeObjects, removeCachedCopies } from '@/lib/processing/entry-files';

/** Deletes the objects of a permanently deleted entry. */
export function purgeEntryObjects(client: Inngest) {
  return client.createFunction(
    { id: 'purge-objects', triggers: [entryPurged], retries: 20 },
    async ({ event, step }) => {
      await step.run('delete', () => purgeObjects(event.data));
      await step.run('tidy', () => removeCachedCopies(event.data.entryId));
    },
  );
}
