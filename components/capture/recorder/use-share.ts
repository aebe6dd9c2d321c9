import { useEffect, useEffectEvent, useState } from 'react';
import type { OpenedShare } from '@/components/capture/uploads/shared/open-share';
import type { SharedVideo } from '@/components/capture/uploads/shared/shared-store';
import { discardSharedVideo } from '@/components/capture/uploads/shared/shared-videos';
import { loadCodePatiently } from '@/components/ui/load-code';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';

const loadOpenShare = () => loadCodePatiently(() => import('@/components/capture/uploads/shared/open-share'));

/**
 * Finds the videos that another app shared, if the address has their id, and opens those that the user wants. Loads
 * nothing if it hasn't.
 * @param mayOpen whether a video can be chosen now; until then, it waits
 * @returns whether there are any that aren't open yet, those to ask about, and what the answers do
 */
export function useShare(
  owner: string,
  limits: FileLimits,
  mayOpen: boolean,
  onOpened: (opened: OpenedShare | { problem: string }) => void,
) {
  /** Those that aren't in the form yet. */
  const [waiting, setWaiting] = useState<{ id: string; videos: readonly SharedVideo[] } | null>(null);
  const [isAccepted, setAccepted] = useState(false);

  const find = useEffectEvent(async (id: string) => {
    const { findShare } = await loadOpenShare();
    const found = await findShare(id, owner);
    if ('problem' in found) return onOpened(found);
    setWaiting({ id, videos: found });
    // It's in the form again after a reload.
    setAccepted(found.every((video) => video.isAccepted));
  });
  useEffect(() => {
    const id = new URLSearchParams(window.location.search).get('shared');
    if (id) void find(id);
  }, []);

  const open = useEffectEvent(async (id: string) => {
    setWaiting(null);
    const { openShare } = await loadOpenShare();
    onOpened(await openShare(id, owner, limits));
  });
  const accepted = isAccepted ? waiting?.id : undefined;
  useEffect(() => {
    if (mayOpen && accepted) void open(accepted);
  }, [mayOpen, accepted]);

  return {
    isWaiting: waiting !== null,
    asked: isAccepted ? null : (waiting?.videos ?? null),
    accept: () => setAccepted(true),
    decline() {
      for (const { id } of waiting?.videos ?? []) void discardSharedVideo(id);
      setWaiting(null);
    },
  };
}
