import type { Inngest } from 'inngest';
import { deleteErasedObjects, deleteExportFiles, purgeEntryObjects } from './functions/deletion';
import { makePreviews, processVideo, transcribe } from './functions/entry';
import { prepareExport } from './functions/export';
import { reconcileBilling, recordPing, sweep } from './functions/sweep';
import { learnWords } from './functions/vocabulary';

/** Returns every function of the app, for the web servers to serve or for workers to run. */
export function createFunctions(client: Inngest) {
  return [
    processVideo(client),
    makePreviews(client),
    transcribe(client),
    learnWords(client),
    purgeEntryObjects(client),
    deleteErasedObjects(client),
    prepareExport(client),
    deleteExportFiles(client),
    sweep(client),
    reconcileBilling(client),
    recordPing(client),
  ];
}
