'use client';

import { useEffect } from 'react';
import { fetchTags, readSavedTags } from '@/components/journal/tags/saved-tags';
import { whenIdle } from '@/components/ui/when-idle';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';

/**
 * Registers the service worker, has it cache what's shown without a network, and saves what a recording made then may need.
 */
async function registerWorker(account: string): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage('refresh');
    if (!readSavedTags(account)) await fetchTags(account);
  } catch (error) {
    // The browser doesn't allow it here, such as in a private window, or the network is gone already.
    logRejected(error);
  }
}

/** With hot reload, a worker that answers with what it has cached would be in the way. */
async function unregisterWorker(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
}

/** Makes Daylight work without a network for somebody who's signed in. */
export function RegisterWorker({ account }: { account: string }) {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    // Next replaces it with its value in the build.
    if (process.env.NODE_ENV === 'development') return void unregisterWorker();
    return whenIdle(() => void registerWorker(account));
  }, [account]);
  return null;
}
