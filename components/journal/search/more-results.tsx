import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '@/components/ui/button';

/** How far below the window the end of the list may be when more results are loaded, in pixels. */
const AHEAD = 600;

/** A button that shows more results. It's pressed by itself when the end of the list comes near. */
export function MoreResults({
  left,
  state: { busy, problem },
  onMore,
}: {
  /** How many results aren't shown yet, null if that isn't known. */
  left: number | null;
  state: { busy: boolean; problem: string | null };
  onMore: () => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const comeNear = useEffectEvent(() => {
    if (!busy && problem === null) onMore();
  });
  useEffect(() => {
    if (!end.current || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) comeNear();
      },
      { rootMargin: `0px 0px ${AHEAD}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="flex flex-wrap items-center gap-4 py-7">
      {problem !== null && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
      <Button variant="secondary" busy={busy} onClick={onMore}>
        {problem === null ? `Show ${Math.min(30, left ?? 30)} more` : 'Try again'}
      </Button>
    </div>
  );
}
