import { REQUEST_WAIT_MS } from '@/lib/foundation/admission';

/** Creates what lets an owner's work be done one after the other, in the order in which it came. */
export function createTurns() {
  /** Who waits, by owner. An owner with nobody waiting has work that's being done. */
  const lines = new Map<string, Set<() => void>>();

  function wait(owner: string, refuse: () => Error): Promise<void> {
    const line = lines.get(owner);
    if (!line) {
      lines.set(owner, new Set());
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.delete(begin);
        reject(refuse());
      }, REQUEST_WAIT_MS);
      line.add(begin);
    });
  }

  function next(owner: string): void {
    const line = lines.get(owner);
    const [begin] = line ?? [];
    if (!line || !begin) {
      lines.delete(owner);
      return;
    }
    line.delete(begin);
    begin();
  }

  return {
    /**
     * Does an owner's work in its turn.
     * @param refuse returns what's thrown if that hasn't come within {@link REQUEST_WAIT_MS}
     */
    async take<Result>(owner: string, work: () => Promise<Result>, refuse: () => Error): Promise<Result> {
      await wait(owner, refuse);
      try {
        return await work();
      } finally {
        next(owner);
      }
    },
    /** Returns how many owners have work that's being done. */
    size: () => lines.size,
  };
}
