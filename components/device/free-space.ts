/** Returns how many bytes this browser can still store; null if it doesn't say. */
export async function freeBytes(): Promise<number | null> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  return quota === undefined ? null : quota - usage;
}

/** Returns whether an error means that there's no space left on this device. */
export const isDeviceFull = (error: unknown): boolean =>
  error instanceof Error && error.name === 'QuotaExceededError';
