/** How long a loading screen is shown at least, in milliseconds (specification, 9). */
export const LEAST_LOADING = 500;

/** Resolves when a loading screen that begins now has been shown long enough to be read. */
export function leastLoading(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LEAST_LOADING));
}
