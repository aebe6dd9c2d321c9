import { transcribePart } from '@/lib/video/processing/speech';
import { runEntryStep } from '@/lib/video/processing/step';

// Transcribes an entry's first part: `transcribe-process.ts <entryId> <userId>`. It's killed before it's done.
const [entryId = '', userId = ''] = process.argv.slice(2);
await runEntryStep(
  { entryId, userId, kind: 'transcript', generation: 1, runId: 'killed', attempt: 0 },
  (entry) => transcribePart(entry, { name: 'speech-0.pcm', startSeconds: 100, endSeconds: 200 }, 0),
);
