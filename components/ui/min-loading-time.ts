/** How long a loading screen is shown at least, in milliseconds (specification, 9). */
export const MIN_LOADING_MS = 500;

/** Resolves when a loading screen that begins now has been shown long enough to be read. */
export function waitMinLoadingTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, MIN_LOADING_MS));
}
