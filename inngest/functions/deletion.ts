import type { Inngest } from 'inngest';
import { deleteAccountObjects } from '@/lib/account/deletion/storage';
import { abortMultiparts } from '@/lib/clients/multipart';
import { accountErased, entryPurged, exportDeleted, exportFailed } from '@/lib/messaging/outbox/events';
import { deleteExportObjects, layoutKeys } from '@/lib/portability/exports/run';
import { purgeObjects, removeCachedCopies } from '@/lib/video/processing/entry-files';
import { STEP_RETRIES } from '@/lib/video/processing/step';

/** Says what a run did, for whoever reads it in the job service's dashboard. */
const outcomeOf = (deleted: number) => `Deleted ${deleted} objects.`;

/** Deletes the objects of a permanently deleted entry. */
export function purgeEntryObjects(client: Inngest) {
  return client.createFunction(
    {
      id: 'purge-objects',
      name: 'Delete the files of an entry',
      triggers: [entryPurged],
      retries: STEP_RETRIES,
    },
    async ({ event, step }) => {
      const { entryId } = event.data;
      const deleted = await step.run('delete', () => purgeObjects(event.data));
      await step.run('tidy', () => removeCachedCopies(entryId));
      return { entryId, outcome: outcomeOf(deleted) };
    },
  );
}

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
      return { outcome: outcomeOf(deleted) };
    },
  );
}

/** Deletes the objects of an archive that was deleted or has failed. */
export function deleteExportFiles(client: Inngest) {
  return client.createFunction(
    {
      id: 'delete-export',
      name: 'Delete the files of an archive',
      triggers: [exportDeleted, exportFailed],
      retries: STEP_RETRIES,
    },
    async ({ event, step }) => {
      const { exportId, userId, layoutId } = event.data;
      const ref = { exportId, userId };
      const deleted = await step.run('delete', async () => {
        // MinIO lists unfinished uploads only by their exact key.
        if (layoutId) await abortMultiparts(layoutKeys(ref, layoutId).archive);
        return deleteExportObjects(ref);
      });
      return { ...ref, outcome: outcomeOf(deleted) };
    },
  );
}
