import type { Inngest } from 'inngest';
import { exportDeleted, exportRequested } from '@/lib/messaging/outbox/events';
import { announce, assemble } from '@/lib/portability/exports/assemble';
import { layOut, prepareChecksums } from '@/lib/portability/exports/prepare';
import { type ExportRun, PARALLEL_EXPORTS } from '@/lib/portability/exports/run';
import { runExportStep, type StepTime } from '@/lib/portability/exports/step';
import { failExport } from '@/lib/portability/exports/upkeep';
import { STEP_RETRIES, UNAVAILABLE } from '@/lib/video/processing/step';

/** How often an archive is laid out again because something in it was deleted or replaced meanwhile. */
const MAX_LAYOUTS = 5;

/** Prepares an archive of a journal. */
export function prepareExport(client: Inngest) {
  return client.createFunction(
    {
      id: 'prepare-export',
      name: 'Prepare an archive',
      triggers: [exportRequested],
      retries: STEP_RETRIES,
      concurrency: [{ limit: PARALLEL_EXPORTS }, { limit: 1, key: 'event.data.userId' }],
      cancelOn: [{ event: exportDeleted, match: 'data.exportId' }],
      onFailure: async ({ event, error }) => {
        // The sweep starts it again.
        if (error.name !== UNAVAILABLE) await failExport(event.data.event.data);
      },
    },
    async ({ event, step, attempt }) => {
      const { exportId, userId, generation } = event.data;
      const run: ExportRun = { exportId, userId, generation };
      const ended = (outcome: string) => ({ exportId, userId, outcome });
      const work = <T>(id: string, task: (one: ExportRun, time: StepTime) => Promise<T>) =>
        step.run(id, () => runExportStep(run, attempt, task));

      for (let round = 0, state: unknown = 'unfinished'; state === 'unfinished'; round += 1) {
        state = await work(`checksums-${round}`, prepareChecksums);
        if (state === null) return ended('Stopped: the archive was deleted, or another run makes it.');
      }
      for (let layout = 0; layout < MAX_LAYOUTS; layout += 1) {
        await work(`lay-out-${layout}`, layOut);
        let state: unknown = 'unfinished';
        for (let round = 0; state === 'unfinished'; round += 1) {
          state = await work(`assemble-${layout}-${round}`, assemble);
        }
        if (state === 'done') state = await work(`announce-${layout}`, announce);
        if (state === 'done') return ended('The archive is ready.');
        if (state === null) return ended('Stopped: the archive was deleted, or another run makes it.');
      }
      await step.run('fail', () => failExport(run));
      return ended('Failed: what’s in it kept changing.');
    },
  );
}
