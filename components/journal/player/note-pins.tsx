import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { groupPins, pinLabel, pinNumbers } from './group-pins';
import { useMomentNotes } from './moment-notes';
import { seek } from './player-commands';

/** Shows notes about moments as numbered pins on the time bar. A press goes to the moment. */
export function NotePins({
  video,
  duration,
}: {
  video: RefObject<HTMLVideoElement | null>;
  /** Seconds. */
  duration: number;
}) {
  const row = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const notes = useMomentNotes();
  const hasNotes = notes.length > 0;
  // Before they're painted, or they'd be grouped for another width at first.
  useLayoutEffect(() => {
    const element = row.current;
    if (!element || !hasNotes) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasNotes]);
  const pins = useMemo(() => groupPins(notes, duration, width), [notes, duration, width]);
  return (
    <div ref={row} className="player-pins" data-empty={hasNotes ? undefined : ''}>
      {pins.map((pin) => (
        <button
          key={pin.notes[0].id}
          type="button"
          aria-label={pinLabel(pin)}
          onClick={() => video.current && seek(video.current, pin.notes[0].moment)}
          data-group={pin.notes.length > 1 ? '' : undefined}
          className="player-pin"
          style={{ left: pin.x }}
        >
          <span>{pinNumbers(pin)}</span>
        </button>
      ))}
    </div>
  );
}
