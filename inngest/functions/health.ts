import type { Inngest } from 'inngest';
import { healthPinged } from '@/lib/messaging/outbox/events';
import { readMediaTool } from '@/lib/operations/health/media';
import { areFunctions } from '@/lib/video/processing/job-limits';
import { shareMediaSpeed } from '@/lib/video/processing/media-speed';
import { reportEventRun, reportJobRun } from '@/lib/video/processing/process-reports';

/**
 * Records that events start runs, whether videos can be prepared here, and how fast. The sweep sends its event twice an
 * hour, the doctor each time, and health checks while no run has proved it.
 */
export function recordPing(client: Inngest) {
  return client.createFunction(
    { id: 'health-ping', triggers: [healthPinged], retries: 0 },
    async ({ event }) => {
      const { problem } = await readMediaTool();
      await reportJobRun(problem);
      if (event.data.settings) await reportEventRun(event.data.settings);
      if (areFunctions() && !problem) await shareMediaSpeed();
    },
  );
}
