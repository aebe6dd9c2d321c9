import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { type Anchor, anchorOf, restoreAnchor } from './anchor';
import type { RowPlayback } from './timeline-row';

/** Holds which row plays, of which there's at most one. A row that starts stays where it is when another one closes. */
export function usePlayingRow(list: RefObject<HTMLElement | null>) {
  const [playing, setPlaying] = useState<{ id: string; playback: RowPlayback } | null>(null);
  const anchor = useRef<Anchor | null>(null);

  // Another row that plays moves the rows.
  useLayoutEffect(() => {
    if (list.current && anchor.current) restoreAnchor(list.current, anchor.current);
    anchor.current = null;
  }, [playing, list]);

  const play = useCallback(
    (id: string, playback: RowPlayback) => {
      anchor.current = list.current && anchorOf(list.current, id);
      setPlaying({ id, playback });
    },
    [list],
  );
  const stop = useCallback((id: string) => setPlaying((before) => (before?.id === id ? null : before)), []);
  return { playing, play, stop };
}
