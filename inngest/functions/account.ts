import type { Inngest } from 'inngest';
import { deleteAccountObjects } from '@/lib/account/deletion/storage';
import { accountErased } from '@/lib/messaging/outbox/events';
import { STEP_RETRIES } from '@/lib/video/processing/step';

/** Deletes what arrived in storage after an account was erased: what a killed job was uploading, for example. */
export function deleteErasedObjects(client: Inngest) {
  return client.createFunction(
    {
      id: 'delete-erased-objects',
      name: 'Delete the files of an erased account',
      triggers: [accountErased],
      retries: STEP_RETRIES,
    },
    async ({ event, step }) => {
      const deleted = await step.run('delete', () => deleteAccountObjects(event.data.userId));
      return { outcome: `Deleted ${deleted} objects.` };
    },
  );
}
