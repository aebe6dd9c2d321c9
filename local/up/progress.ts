/** Runs one step of the startup. Shows its name while it runs, then a check mark with how long it took. */
export type Step = <T>(
  name: string,
  work: () => Promise<T> | T,
  outcome?: (result: T) => string,
) => Promise<T>;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Returns a step runner that writes to `out`. On a terminal, the line is rewritten in place. In a file or a pipe, a
 * step gets one line when it's done, and another one before that if it takes more than three seconds.
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
      // Returns even after a stop was requested, because the caller has to clean up the result. The next step throws.
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
