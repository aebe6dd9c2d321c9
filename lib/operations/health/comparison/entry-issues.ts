import type { StoredObject } from '@/lib/clients/storage-listing';
import { originalName } from '@/lib/journal/entries/keys';
import type { EntryRow } from './entry-rows';
import { nameOf } from './stored-groups';

/** Something that isn't as an entry's row says, and what's needed to repair it. */
export type EntryIssue =
  | { kind: 'entry-lost' | 'original-lost' | 'original-changed' }
  | {
      kind: 'copy-lost';
      lost: { video: boolean; thumbnail: boolean; storyboard: boolean; small: boolean };
      hasSource: boolean;
    }
  | { kind: 'etag-changed'; source: StoredObject }
  | { kind: 'size-wrong'; source: StoredObject }
  | { kind: 'object-leftover' | 'object-unknown'; object: StoredObject };

const KNOWN =
  /^(source|remux\.(mp4|webm)|(video|small)\.mp4|thumbnail\.jpg|storyboard\.jpg|speech-\d+\.\w+)$/;

/** How long everything in storage is left alone, since a request or a job may still need it. In milliseconds. */
const YOUNG_MS = 24 * 3600 * 1000;

export const isOld = ({ modifiedAt }: StoredObject, now: number): boolean =>
  modifiedAt.getTime() < now - YOUNG_MS;

/** Returns the objects that a finished job has left behind. */
function findLeftovers(
  row: EntryRow,
  objects: ReadonlyMap<string, StoredObject>,
  now: number,
): StoredObject[] {
  const video = objects.get('video.mp4');
  // Somebody may be watching the first copy, by a link that's valid for two hours.
  const isRemuxDone =
    row.videoStatus === 'ready' &&
    row.videoKey &&
    nameOf(row.videoKey) === 'video.mp4' &&
    video &&
    isOld(video, now);
  return [...objects].flatMap(([name, object]) => {
    const isDone =
      // The address that it was uploaded to has expired by now.
      (name === 'source' && row.storedOnce && video !== undefined) ||
      (name.startsWith('speech-') && row.transcriptStatus !== 'processing') ||
      (name.startsWith('remux.') && isRemuxDone) ||
      // Of a former video; a job that makes one writes over it.
      (name === 'small.mp4' && !row.hasSmall);
    return isDone && isOld(object, now) ? [object] : [];
  });
}

/** Returns what's wrong with the uploaded file, if it's there. */
function compareSource(row: EntryRow, source: StoredObject | undefined): EntryIssue[] {
  if (!source) return [];
  const hasSize = row.bytes === source.size;
  if (row.sourceEtag === source.etag) return hasSize ? [] : [{ kind: 'size-wrong', source }];
  if (!hasSize) return [{ kind: 'original-changed' }];
  return row.sourceEtag === null ? [] : [{ kind: 'etag-changed', source }];
}

/** Returns what has been lost of an entry whose upload was completed. */
function findLost(row: EntryRow, objects: ReadonlyMap<string, StoredObject>): EntryIssue[] {
  const hasSource = objects.has(originalName(row));
  const isLost = (key: string | null) => key !== null && !objects.has(nameOf(key));
  const lost = {
    video: isLost(row.videoKey),
    thumbnail: isLost(row.thumbnailKey),
    storyboard: row.hasStoryboard && !objects.has('storyboard.jpg'),
    small: row.hasSmall && !objects.has('small.mp4'),
  };
  const isPlayable = row.videoKey !== null && !lost.video;
  if (!hasSource && !isPlayable) return row.mayLackSource ? [] : [{ kind: 'entry-lost' }];
  const issues: EntryIssue[] = [];
  if (!hasSource && !row.mayLackSource) issues.push({ kind: 'original-lost' });
  if (Object.values(lost).includes(true)) issues.push({ kind: 'copy-lost', lost, hasSource });
  return issues;
}

/**
 * Compares an entry's row with its objects in storage. Those of an entry in the trash must be there too, since it can be
 * restored.
 * @param now milliseconds since 1970
 */
export function compareEntry(row: EntryRow, stored: readonly StoredObject[], now: number): EntryIssue[] {
  const objects = new Map(stored.map((object) => [nameOf(object.key), object]));
  const unknown = [...objects].flatMap(([name, object]) =>
    KNOWN.test(name) ? [] : [{ kind: 'object-unknown', object } as const],
  );
  if (row.videoStatus === 'uploading') return unknown;
  const leftover = findLeftovers(row, objects, now).map(
    (object) => ({ kind: 'object-leftover', object }) as const,
  );
  return [
    ...findLost(row, objects),
    ...compareSource(row, objects.get(originalName(row))),
    ...leftover,
    ...unknown,
  ];
}
