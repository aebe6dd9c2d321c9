import { useState } from 'react';

/**
 * Lays this page's own changes over a list from the server, so that a refresh of the page brings in everyone else's
 * without losing any of them.
 * @returns the list, with new items first; `put` adds or replaces an item, `remove` takes one out
 */
export function useListChanges<Item extends { id: string }>(items: readonly Item[]) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Item | null>>(new Map());
  const known = new Set(items.map(({ id }) => id));
  const added = [...changes].flatMap(([id, item]) => (item && !known.has(id) ? [item] : []));
  const kept = items.flatMap((item) => {
    const change = changes.get(item.id);
    return change === null ? [] : [change ?? item];
  });
  const change = (id: string, item: Item | null) => setChanges((before) => new Map(before).set(id, item));
  return {
    items: [...added.reverse(), ...kept],
    put: (item: Item) => change(item.id, item),
    remove: (id: string) => change(id, null),
  };
}
