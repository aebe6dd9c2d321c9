import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withStepFolder } from '@/lib/video/processing/entry-files';

// Works on an entry's step until it is killed: `step-process.ts <entryId>`.
await withStepFolder(process.argv[2] ?? '', async (folder) => {
  await writeFile(path.join(folder, 'half a video'), 'half');
  console.log('working');
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
});
