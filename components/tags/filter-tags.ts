import type { Tag } from '@/lib/tags/contract';

/** Tags by name, as every list of them has them. */
export const sortByName = (tags: readonly Tag[]): Tag[] =>
  [...tags].sort((one, two) => one.name.localeCompare(two.name, undefined, { sensitivity: 'base' }));

/** Tags whose name contains what was typed, whatever the case. */
export function filterTags(tags: readonly Tag[], typed: string): Tag[] {
  const wanted = typed.trim().toLowerCase();
  return tags.filter((tag) => tag.name.toLowerCase().includes(wanted));
}

/** What can be created from what was typed: a name that no tag has yet, whatever the case; '' for nothing. */
export function creatableName(tags: readonly Tag[], typed: string): string {
  const name = typed.trim();
  return tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase()) ? '' : name;
}
