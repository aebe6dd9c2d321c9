/** The minimum time to show a loading screen, in milliseconds (specification, 9). */
export const MIN_LOADING_MS = 500;

/** Resolves when a loading screen that starts now has been shown for the minimum time. */
export function waitMinLoadingTime(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, MIN_LOADING_MS));
}
