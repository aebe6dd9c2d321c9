import { assemble } from '@/lib/portability/exports/assemble';

// Assembles an archive: `export-process.ts <exportId> <userId>`. It's killed before it's done, again and again.
const [exportId = '', userId = ''] = process.argv.slice(2);
const signal = new AbortController().signal;
const state = await assemble(
  { exportId, userId, generation: 1 },
  { deadline: Number.POSITIVE_INFINITY, signal },
);
process.exit(state === 'done' ? 0 : 1);
