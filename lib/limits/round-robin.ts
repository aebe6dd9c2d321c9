/** Creates a queue that serves its owners in turn, so that what one of them has queued delays nobody else. */
export function createRoundRobin<Item extends object>() {
  /** Owners with items, in the order of their turns. */
  const queues = new Map<string, Set<Item>>();
  let size = 0;
  const remove = (owner: string, item: Item) => {
    const items = queues.get(owner);
    if (!items?.delete(item)) return;
    size -= 1;
    if (items.size === 0) queues.delete(owner);
  };
  return {
    /** Returns how many items wait. */
    size: () => size,
    /** Returns how many items of one owner wait. */
    sizeOf: (owner: string) => queues.get(owner)?.size ?? 0,
    /** Adds an item behind its owner's others, and returns a function that removes it. */
    add(owner: string, item: Item): () => void {
      const items = queues.get(owner) ?? new Set();
      items.add(item);
      queues.set(owner, items);
      size += 1;
      return () => remove(owner, item);
    },
    /**
     * Removes and returns the item whose turn it is.
     * @param mayLeave tells whether an owner's first item may leave now; if not, it's the next owner's turn
     */
    take(mayLeave: (item: Item) => boolean = () => true): Item | undefined {
      for (const [owner, items] of queues) {
        const [item] = items;
        if (!item || !mayLeave(item)) continue;
        remove(owner, item);
        // To the back of the line, if there's more of the owner's.
        if (queues.delete(owner)) queues.set(owner, items);
        return item;
      }
      return undefined;
    },
  };
}
