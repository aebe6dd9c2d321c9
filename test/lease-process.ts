import { runEntryStep } from '@/lib/video/processing/step';

// Holds the lease of an entry's job until it is killed: `lease-process.ts <entryId> <userId>`.
const [entryId = '', userId = ''] = process.argv.slice(2);
await runEntryStep(
  { entryId, userId, kind: 'video', generation: 1, runId: 'killed', attempt: 0 },
  async () => {
    console.log('working');
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  },
);
