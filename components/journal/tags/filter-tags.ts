import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import type { Tag } from '@/lib/journal/tags/contract';

/** Returns tags sorted by name. */
export const sortByName = (tags: readonly Tag[]): Tag[] =>
  [...tags].sort((one, two) => one.name.localeCompare(two.name, undefined, { sensitivity: 'base' }));

/** Returns the tags whose name contains what was typed, ignoring case. */
export function filterTags(tags: readonly Tag[], typed: string): Tag[] {
  const wanted = typed.trim().toLowerCase();
  return tags.filter((tag) => tag.name.toLowerCase().includes(wanted));
}

/** Returns the name of the tag that could be created from what was typed; '' if it's blank or taken, ignoring case. */
export function creatableName(tags: readonly Tag[], typed: string): string {
  const name = cleanText(typed);
  const isTaken = tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase());
  return isTaken || isBlank(name) ? '' : name;
}
