import { checkDate, checkTitle, type ReviewRow, type RowChange } from './review-row';

/** Returns `1 clip`, or `1,200 clips`. */
export const countClips = (count: number): string =>
  count === 1 ? '1 clip' : `${count.toLocaleString('en-US')} clips`;

const SOURCES: Record<NonNullable<ReviewRow['source']>, string> = {
  sidecar: 'From the export',
  metadata: 'From the video',
  name: 'From the file name',
  folder: 'From the folder',
  modified: 'File’s last change',
  you: 'Set by you',
};

/** Says where a date is from. */
export const describeSource = (source: ReviewRow['source']): string =>
  source ? SOURCES[source] : 'No date found';

/** Returns what the person should know about a row, and its color; null if it's ready to be imported. */
export function describeStatus(row: ReviewRow): { text: string; color: string } | null {
  if (row.problem) return { text: row.problem, color: 'text-danger' };
  if (!row.isIncluded) {
    const reason = row.duplicate ?? (row.isLivePhoto ? 'Part of a Live Photo.' : null);
    return { text: reason ? `Left out. ${reason}` : 'Left out', color: 'text-ink-2' };
  }
  const error = checkDate(row.date) ?? checkTitle(row.title);
  if (error) return { text: error, color: 'text-danger' };
  const warning = row.duplicate ?? row.warning;
  return warning ? { text: warning, color: 'text-warn' } : null;
}

/** Says how many clips are left out because they belong to photos, and where to include them. */
export const describeLivePhotos = (count: number): string =>
  count === 1
    ? '1 clip belongs to a Live Photo, so it’s left out. To include it, select Live Photos below.'
    : `${countClips(count)} belong to Live Photos, so they’re left out. To include them, select Live Photos below.`;

const countDays = (days: number) => (days === 1 ? '1 day' : `${days.toLocaleString('en-US')} days`);

function describeTags({ add, remove }: { add: readonly string[]; remove: readonly string[] }, clips: string) {
  const [added] = add;
  const [removed] = remove;
  if (add.length === 1 && remove.length === 0) return `“${added}” added to ${clips}.`;
  if (add.length === 0 && remove.length === 1) return `“${removed}” removed from ${clips}.`;
  return `Tags changed for ${clips}.`;
}

/** Says what a change did to so many rows. */
export function describeChange(change: RowChange, count: number): string {
  const clips = countClips(count);
  switch (change.kind) {
    case 'title':
      return `Title set for ${clips}.`;
    case 'date':
    case 'found':
      return `Date set for ${clips}.`;
    case 'shift':
      return `${clips} moved ${countDays(Math.abs(change.days))} ${change.days > 0 ? 'later' : 'earlier'}.`;
    case 'confirm':
      return `Date confirmed for ${clips}.`;
    case 'tags':
      return `Tags changed for ${clips}.`;
    case 'retag':
      return describeTags(change, clips);
    case 'include':
      return `${clips} ${change.isIncluded ? 'included' : 'left out'}.`;
  }
}
