import type { ResponseBody } from '@/lib/contract/client';
import type { EntryState, ImportableEntry } from '@/lib/imports/requests';
import type { planDetails } from '@/lib/plans/contract';
import { type FileLimits, findExceededLimit } from '@/lib/plans/file-limits';
import { formatBytes, formatDuration } from '@/lib/plans/format';

type Usage = ResponseBody<typeof planDetails>;

/** What an import would do, before it starts. */
export interface ImportPlan {
  /** All entries of the archive that have a video, and how many bytes those have. */
  total: number;
  bytes: number;
  /** The years of the first and the last one; null if there are none. */
  years: [first: string, last: string] | null;
  /** How many the journal has. */
  existing: number;
  /** Those to import, oldest first. */
  wanted: ImportableEntry[];
  /** Those that don't fit into the plan, and a sentence about the space that's left. */
  unfit: ImportableEntry[];
  spaceLeft: string;
  /** Those that can't be imported, with the reason. */
  refused: { entry: ImportableEntry; reason: string }[];
}

/** What a plan has left: videos, bytes, and seconds. */
interface Space {
  videos: number;
  bytes: number;
  seconds: number;
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns what's left of a plan in words: `18 more videos, 1.10 GB, and 2.5 hours`. */
function describeSpace({ videos, bytes, seconds }: Space): string {
  const left = (value: number) => Math.max(0, value);
  return `${plural(left(videos), 'more video')}, ${formatBytes(left(bytes))}, and ${formatDuration(left(seconds))}`;
}

/**
 * Plans an import: what's there already, what fits, and what doesn't. An entry that doesn't fit doesn't keep later,
 * shorter ones out, as on the server.
 * @param states of the entries, in their order
 * @param findProblem returns why an entry can't be imported from this archive
 */
export function planImport(
  entries: readonly ImportableEntry[],
  states: readonly EntryState[],
  { usage, limits }: { usage: Usage; limits: FileLimits },
  findProblem: (entry: ImportableEntry) => string | null,
): ImportPlan {
  const space: Space = {
    videos: usage.videoCountLimit - usage.videoCount,
    bytes: usage.storageLimit - usage.storageUse,
    seconds: usage.timeLimit - usage.timeUse,
  };
  const spaceLeft = describeSpace(space);
  const years = entries.map(({ entry }) => entry.date.slice(0, 4)).sort();
  const plan: ImportPlan = {
    total: entries.length,
    bytes: entries.reduce((sum, { video }) => sum + video.bytes, 0),
    years: years.length > 0 ? [years[0] ?? '', years.at(-1) ?? ''] : null,
    existing: states.filter((state) => state === 'exists').length,
    wanted: [],
    unfit: [],
    spaceLeft,
    refused: [],
  };
  for (const [index, entry] of entries.entries()) {
    const state = states[index];
    if (state === 'exists') continue;
    const seconds = entry.entry.duration ?? 0;
    const reason =
      findProblem(entry) ?? findExceededLimit(limits, { bytes: entry.video.bytes, seconds })?.problem;
    if (reason) {
      plan.refused.push({ entry, reason });
      continue;
    }
    // One that was started has its slot and its bytes.
    const needed = state === 'started' ? { videos: 0, bytes: 0 } : { videos: 1, bytes: entry.video.bytes };
    const fits =
      needed.videos <= space.videos &&
      needed.bytes <= space.bytes &&
      seconds <= space.seconds &&
      (state === 'started' || space.seconds > 0);
    if (!fits) {
      plan.unfit.push(entry);
      continue;
    }
    plan.wanted.push(entry);
    space.videos -= needed.videos;
    space.bytes -= needed.bytes;
    space.seconds -= seconds;
  }
  return plan;
}
