import { useEffect, useEffectEvent, useRef } from 'react';
import { loadCodePatiently } from '@/components/ui/load-code';
import type { OpenedShare } from '@/components/uploads/shared/open-share';
import type { FileLimits } from '@/lib/plans/file-limits';

const loadOpenShare = () => loadCodePatiently(() => import('@/components/uploads/shared/open-share'));

/**
 * Opens the videos that another app shared, if the address has their id. Loads nothing if it hasn't.
 * @param mayOpen whether a video can be chosen now; until then, it waits
 */
export function useShare(
  owner: string,
  limits: FileLimits,
  mayOpen: boolean,
  onOpened: (opened: OpenedShare | { problem: string }) => void,
): void {
  const isAsked = useRef(false);
  const open = useEffectEvent(async () => {
    const share = new URLSearchParams(window.location.search).get('shared');
    if (!share || isAsked.current) return;
    isAsked.current = true;
    const { openShare } = await loadOpenShare();
    onOpened(await openShare(share, owner, limits));
  });
  useEffect(() => {
    if (mayOpen) void open();
  }, [mayOpen]);
}
