/**
 * Compares everything, as `npm run doctor -- --data` does, in a process of its own. Prints how long it took, its peak
 * memory, and what it found, as JSON.
 */
import { compareData } from '@/lib/operations/health/comparison/compare';

const began = performance.now();
const options = { only: '', isThorough: false, mayRepair: false, mayDeleteMany: false };
const found = await compareData(options);
const { maxRSS: kilobytes } = process.resourceUsage();
console.log(
  JSON.stringify({
    seconds: (performance.now() - began) / 1000,
    megabytes: kilobytes / 1000,
    problems: found.flatMap(({ problems }) => problems),
  }),
);
process.exit();
