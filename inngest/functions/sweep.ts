import { cron, type Inngest } from 'inngest';
import { forgetOldEvents } from '@/lib/audit/service';
import { purgeOldTrash } from '@/lib/entries/trash';
import { forgetOldTries } from '@/lib/limits/service';
import { deliverOutbox } from '@/lib/outbox/service';
import { forgetOldChallenges } from '@/lib/passkeys/challenge';
import { removeStaleFiles } from '@/lib/processing/stale-files';
import { forgetOldNotices } from '@/lib/security/notices';
import { forgetOldDevices } from '@/lib/sessions/devices';
import { forgetExpiredSessions } from '@/lib/sessions/service';
import { settleAbandonedUploads } from '@/lib/uploads/abandoned';
import { settleExpiredAddresses } from '@/lib/uploads/expired';

/** Every minute: what was not sent, not finished or not cleared away is seen to. Each part may fail by itself. */
export function sweep(client: Inngest) {
  return client.createFunction(
    { id: 'sweep', triggers: [cron('* * * * *')], retries: 0, concurrency: [{ limit: 1 }] },
    async ({ step }) => {
      await step.run('outbox', () => deliverOutbox(200));
      await step.run('uploads', () => settleAbandonedUploads());
      await step.run('addresses', () => settleExpiredAddresses());
      await step.run('trash', () => purgeOldTrash());
      await step.run('sessions', () => forgetExpiredSessions());
      await step.run('devices', () => forgetOldDevices());
      await step.run('notices', () => forgetOldNotices());
      await step.run('challenges', () => forgetOldChallenges());
      await step.run('activity', () => forgetOldEvents());
      await step.run('limits', () => forgetOldTries());
      await step.run('files', () => removeStaleFiles());
    },
  );
}
