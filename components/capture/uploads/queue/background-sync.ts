/** The name of the request, which the service worker gets back. */
export const SYNC_TAG = 'daylight-uploads';

/** Background Synchronization (WICG), which isn't in every browser. */
interface SyncRegistration extends ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

/**
 * Has the service worker send the stored uploads as soon as there's a network, even if no page is open by then. Where
 * browsers can't do that, the next page does it.
 */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration: SyncRegistration | undefined = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // The person has switched it off.
  }
}
