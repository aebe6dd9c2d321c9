import type { Inngest } from 'inngest';
import { deleteErasedObjects } from './functions/account';
import { makePreviews, processVideo, purgeEntryObjects } from './functions/entry';
import { deleteExportFiles, prepareExport } from './functions/export';
import { recordPing } from './functions/health';
import { reconcileBilling, sweep } from './functions/sweep';
import { transcribe } from './functions/transcript';
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
