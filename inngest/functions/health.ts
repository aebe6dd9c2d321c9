import type { Inngest } from 'inngest';
import { readMediaTool } from '@/lib/health/media';
import { healthPinged } from '@/lib/outbox/events';
import { reportJobRun } from '@/lib/processing/process-reports';

/** Records that events start runs, and whether videos can be prepared here. The sweep sends its event, and so do health checks while no run has proved it. */
export function recordPing(client: Inngest) {
  return client.createFunction({ id: 'health-ping', triggers: [healthPinged], retries: 0 }, async () => {
    await reportJobRun((await readMediaTool()).problem);
  });
}
