import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { useNavigate } from '@/components/ui/offline-page';
import type { Camera } from './recorder-state';

/** Returns the page of this site that a click would open in this tab instead of this one, or null. */
function findDestination(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target === '_blank' || link.hasAttribute('download')) return null;
  const { origin, pathname, search } = new URL(link.href);
  if (origin !== window.location.origin || pathname === window.location.pathname) return null;
  return pathname + search;
}

/**
 * Asks before somebody leaves the page during a recording, by a link or the browser's Back button, and saves it first. Going
 * back is caught by an entry in the history that's added when the recording starts.
 */
export function LeaveGuard({ camera, onStop }: { camera: Camera; onStop: () => void }) {
  const navigate = useNavigate();
  const isRecording = camera.phase === 'recording' || camera.phase === 'stopping';
  const [destination, setDestination] = useState<string | null>(null);
  /** Whether the page is being left, so that the added entry goes with it. */
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isRecording) return;
    const over = new AbortController();
    const here = window.location.href;
    window.history.pushState(null, '', here);
    const click = (event: MouseEvent) => {
      const clicked = findDestination(event);
      if (!clicked) return;
      event.preventDefault();
      event.stopPropagation();
      setDestination(clicked);
    };
    const back = () => {
      if (window.location.href !== here) return;
      window.history.pushState(null, '', here);
      setDestination('back');
    };
    window.addEventListener('click', click, { capture: true, signal: over.signal });
    window.addEventListener('popstate', back, { signal: over.signal });
    return () => {
      over.abort();
      // From now on, Back leads where it would have led.
      if (!isLeaving.current && window.location.href === here) window.history.back();
    };
  }, [isRecording]);
  const leave = useEffectEvent(() => {
    if (destination === 'back') window.history.go(-2);
    else if (destination) navigate(destination, { replace: true });
  });
  useEffect(() => {
    if (isRecording) return;
    if (isLeaving.current) leave();
    isLeaving.current = false;
    setDestination(null);
  }, [isRecording]);

  return (
    <Dialog
      open={destination !== null && camera.phase === 'recording'}
      onOpenChange={(open) => open || setDestination(null)}
      title="You’re still recording"
      description="If you leave, we’ll stop and save your recording on this device. You can upload it later."
    >
      <div className="flex flex-wrap gap-3">
        <Button
          onClick={() => {
            isLeaving.current = true;
            onStop();
          }}
        >
          Stop and save
        </Button>
        <Button variant="secondary" onClick={() => setDestination(null)}>
          Keep recording
        </Button>
      </div>
    </Dialog>
  );
}
