/** Runs one step of a start and shows it: the name while it runs, then a tick with the seconds it took. */
export type Step = <T>(
  name: string,
  work: () => Promise<T> | T,
  outcome?: (result: T) => string,
) => Promise<T>;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * On a terminal the line is rewritten in place; in a file or a pipe each step is one line when it is done, and one
 * more at its beginning when it may take long enough to wonder.
 */
export function stepPrinter(stop: AbortSignal, out: NodeJS.WriteStream = process.stdout): Step {
  return async (name, work, outcome) => {
    stop.throwIfAborted();
    const began = Date.now();
    const announce = setTimeout(() => out.write(out.isTTY ? '' : `  … ${name}\n`), 3000);
    if (out.isTTY) out.write(`  … ${name}`);
    try {
      const result = await work();
      const detail = outcome?.(result);
      if (out.isTTY) out.write('\r\x1b[K');
      out.write(`  ✓ ${name}${detail ? `: ${detail}` : ''} (${seconds(began)})\n`);
      // Even when a stop was asked for meanwhile: the caller must learn what it has to end. The next step throws.
      return result;
    } catch (error) {
      if (out.isTTY) out.write('\r\x1b[K');
      if (!stop.aborted) out.write(`  ✗ ${name} (${seconds(began)})\n`);
      throw error;
    } finally {
      clearTimeout(announce);
    }
  };
}
