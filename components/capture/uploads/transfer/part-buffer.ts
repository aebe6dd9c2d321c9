import type { PartSource } from './send-parts';

/** Collects slices of a recording into parts. */
interface PartBuffer extends PartSource {
  write(slice: Blob): void;
  /** Called after the last slice. */
  end(): void;
  /** Bytes so far. */
  size(): number;
}

/** Creates a growing source: a part is available once all its bytes are, the last one after the end. */
export function createPartBuffer(partSize: number): PartBuffer {
  const parts: Blob[] = [];
  let rest: Blob[] = [];
  let restSize = 0;
  let size = 0;
  let ended = false;
  let wake = () => {};

  return {
    write(slice) {
      size += slice.size;
      let left = slice;
      while (restSize + left.size >= partSize) {
        const fits = partSize - restSize;
        parts.push(new Blob([...rest, left.slice(0, fits)]));
        left = left.slice(fits);
        [rest, restSize] = [[], 0];
      }
      if (left.size > 0) rest.push(left);
      restSize += left.size;
      wake();
    },
    end() {
      ended = true;
      if (restSize > 0) parts.push(new Blob(rest));
      wake();
    },
    size: () => size,
    async getPart(number) {
      while (parts.length < number && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return parts[number - 1] ?? null;
    },
  };
}
