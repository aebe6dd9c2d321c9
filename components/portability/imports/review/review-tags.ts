import { sortByName } from '@/components/journal/tags/filter-tags';
import type { Tag } from '@/lib/journal/tags/contract';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';
import type { ReviewRow } from './review-row';

/** A tag of the account. */
export type KnownTag = Pick<Tag, 'name' | 'color'>;

/** Names are unique, ignoring case, so this is a tag's id in a review, where new tags have none. */
const keyOf = (name: string) => name.toLowerCase();

/** Returns the account's tags by their ids in a review. */
export const indexTags = (known: readonly KnownTag[]): ReadonlyMap<string, Tag> =>
  new Map(known.map(({ name, color }) => [keyOf(name), { id: keyOf(name), name, color }]));

/** Returns the tags with these names, with the account's spelling and color if it has them. */
export const asTags = (names: readonly string[], known: ReadonlyMap<string, Tag>): Tag[] =>
  names.map((name) => known.get(keyOf(name)) ?? { id: keyOf(name), name, color: DEFAULT_TAG_COLOR });

/** Returns every tag that can be suggested by name: the account's, and those that this import adds. */
export function collectTags(known: ReadonlyMap<string, Tag>, rows: readonly ReviewRow[]): Tag[] {
  const all = new Map(known);
  for (const { tags } of rows) {
    for (const name of tags) {
      if (!all.has(keyOf(name))) all.set(keyOf(name), { id: keyOf(name), name, color: DEFAULT_TAG_COLOR });
    }
  }
  return sortByName([...all.values()]);
}
