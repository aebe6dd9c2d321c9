import type { ResponseBody } from '@/lib/api/shared/client';
import { type FileLimits, findExceededLimit } from '@/lib/billing/plans/shared/file-limits';
import { formatBytes, formatDuration } from '@/lib/billing/plans/shared/format';
import type { EntryState } from '@/lib/portability/imports/archive/shared/requests';
import type { ImportItem } from './import-source';

/** What a plan has, and how much of it is used. */
export type PlanUsage = ResponseBody<'GET /plan_details'>;

/** What an import would do, before it starts. */
export interface ImportPlan {
  /** How many items there are, and how many bytes they have. */
  total: number;
  bytes: number;
  /** The years of the first and the last one; null if there are none. */
  years: [first: string, last: string] | null;
  /** How many the journal has. */
  existing: number;
  /** Those to import, oldest first. */
  wanted: ImportItem[];
  /** Those that don't fit into the plan, and the space that's left: `18 more videos, 1.10 GB, and 2.5 hours`. */
  unfit: ImportItem[];
  spaceLeft: string;
  /** Those that can't be imported, with the reason. */
  refused: (ImportItem & { reason: string })[];
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Plans an import: what's there already, what fits, and what doesn't. An item that doesn't fit doesn't keep later,
 * shorter ones out, as on the server.
 * @param states of the items, in their order
 */
export function planImport(
  items: readonly ImportItem[],
  states: readonly EntryState[],
  { usage, limits }: { usage: PlanUsage; limits: FileLimits },
): ImportPlan {
  // What the plan has left.
  const space = {
    videos: usage.videoCountLimit - usage.videoCount,
    bytes: usage.storageLimit - usage.storageUse,
    seconds: usage.timeLimit - usage.timeUse,
  };
  const left = (kind: keyof typeof space) => Math.max(0, space[kind]);
  const spaceLeft = `${plural(left('videos'), 'more video')}, ${formatBytes(left('bytes'))}, and ${formatDuration(left('seconds'))}`;
  const years = items.map(({ date }) => date.slice(0, 4)).sort();
  const plan: ImportPlan = {
    total: items.length,
    bytes: items.reduce((sum, { bytes }) => sum + bytes, 0),
    years: years.length > 0 ? [years[0] ?? '', years.at(-1) ?? ''] : null,
    existing: states.filter((state) => state === 'exists').length,
    wanted: [],
    unfit: [],
    spaceLeft,
    refused: [],
  };
  for (const [index, item] of items.entries()) {
    const state = states[index];
    if (state === 'exists') continue;
    const { bytes } = item;
    const seconds = item.seconds ?? 0;
    const reason = item.problem ?? findExceededLimit(limits, { bytes, seconds })?.problem;
    if (reason) {
      plan.refused.push({ ...item, reason });
      continue;
    }
    // One that was started has its slot and its bytes.
    const needed = state === 'started' ? { videos: 0, bytes: 0 } : { videos: 1, bytes };
    const fits =
      needed.videos <= space.videos &&
      needed.bytes <= space.bytes &&
      seconds <= space.seconds &&
      (state === 'started' || space.seconds > 0);
    if (!fits) {
      plan.unfit.push(item);
      continue;
    }
    plan.wanted.push(item);
    space.videos -= needed.videos;
    space.bytes -= needed.bytes;
    space.seconds -= seconds;
  }
  return plan;
}

/** Returns the ids of what a plan leaves out, for lack of space or because of a problem. */
export const skippedIds = ({ unfit, refused }: ImportPlan): string[] =>
  [...unfit, ...refused].map(({ id }) => id);
