import { listObjects, type StoredObject } from '@/lib/clients/storage-listing';
import { withSafeMessage } from '@/lib/foundation/shared/safe-message';
import type { AccountRange } from './account-ranges';

/** The objects of one entry or archive, or one whose key names neither. */
export interface StoredGroup {
  /** Null if the key has another form. */
  ref: { userId: string; id: string } | null;
  objects: StoredObject[];
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const KEY = new RegExp(`^\\w+/(${UUID})/(${UUID})/[^/]+$`);

/** Returns what's behind the last slash of a key. */
export const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Returns whether a key doesn't come after another one. S3 compares bytes, and JavaScript UTF-16. */
const isBehind = (last: string, key: string): boolean =>
  key <= last && Buffer.compare(Buffer.from(key), Buffer.from(last)) <= 0;

/**
 * Yields what storage has of a range's accounts, by entry or archive, each one once, whatever else lies among it. Holds one page of the
 * listing at a time.
 * @throws Error if storage lists keys in another order than that of their bytes, since things would seem to be missing
 */
export async function* storedGroups(
  root: 'entries' | 'exports',
  { from, before }: AccountRange,
): AsyncGenerator<StoredGroup> {
  const isFirst = /^[0-]+$/.test(from);
  const end = before === null ? `${root}0` : `${root}/${before}`;
  let group: StoredGroup | undefined;
  let last = '';
  for await (const page of listObjects(`${root}/`, isFirst ? undefined : `${root}/${from}`)) {
    for (const object of page) {
      if (isBehind(last, object.key)) throw withSafeMessage(new Error('storage lists keys out of order'));
      last = object.key;
      if (object.key >= end) {
        if (group) yield group;
        return;
      }
      const [, userId, id] = KEY.exec(object.key) ?? [];
      if (!userId || !id) {
        // It doesn't end a group, since more of that may come after it.
        yield { ref: null, objects: [object] };
        continue;
      }
      const ref = { userId, id };
      if (group && group.ref?.id === ref.id && group.ref.userId === ref.userId) {
        group.objects.push(object);
        continue;
      }
      if (group) yield group;
      group = { ref, objects: [object] };
    }
  }
  if (group) yield group;
}
