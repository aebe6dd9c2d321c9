import type { PartSource } from './send-parts';

/** Slices that are still being made, gathered to parts. */
export interface PartBuffer extends PartSource {
  write(slice: Blob): void;
  /** No slice comes any more. */
  end(): void;
  /** Bytes so far. */
  size(): number;
}

/** A source that grows; a part is there as soon as all its bytes are, the last one at the end. */
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
