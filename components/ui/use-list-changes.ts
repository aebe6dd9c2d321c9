import { useState } from 'react';

/** Items added or replaced here, by id; null for those removed. */
type Changes<Item> = ReadonlyMap<string, Item | null>;

/** Returns the list as changed here, with new items first. */
export function applyChanges<Item extends { id: string }>(
  items: readonly Item[],
  changes: Changes<Item>,
): Item[] {
  const known = new Set(items.map(({ id }) => id));
  const added = [...changes].flatMap(([id, item]) => (item && !known.has(id) ? [item] : []));
  const kept = items.flatMap((item) => {
    const change = changes.get(item.id);
    return change === null ? [] : [change ?? item];
  });
  return [...added.reverse(), ...kept];
}

/**
 * Lays this page's own changes over a list from the server, so that a refresh of the page brings in everyone else's
 * without losing any of them.
 * @returns the list, with new items first; `put` adds or replaces an item, `remove` takes one out
 */
export function useListChanges<Item extends { id: string }>(items: readonly Item[]) {
  const [changes, setChanges] = useState<Changes<Item>>(new Map());
  const change = (id: string, item: Item | null) => setChanges((before) => new Map(before).set(id, item));
  return {
    items: applyChanges(items, changes),
    put: (item: Item) => change(item.id, item),
    remove: (id: string) => change(id, null),
  };
}
