import type { Inngest } from 'inngest';
import { reportJobRun } from '@/lib/health/process-reports';
import { healthPinged } from '@/lib/outbox/events';

/** Records that events start runs. The sweep sends its event, and so do health checks while no run has proved it. */
export function recordPing(client: Inngest) {
  return client.createFunction({ id: 'health-ping', triggers: [healthPinged], retries: 0 }, async () => {
    await reportJobRun();
  });
}
