import type { Inngest } from 'inngest';
import { finishVideo } from './functions/finish-video';
import { processVideo } from './functions/process-video';
import { purgeEntryObjects } from './functions/purge-objects';
import { reconcileBilling } from './functions/reconcile-billing';
import { sweep } from './functions/sweep';
import { transcribe } from './functions/transcribe';

/** Every function of ours, made for one client. */
export function functions(client: Inngest) {
  return [
    processVideo(client),
    finishVideo(client),
    transcribe(client),
    purgeEntryObjects(client),
    sweep(client),
    reconcileBilling(client),
  ];
}
