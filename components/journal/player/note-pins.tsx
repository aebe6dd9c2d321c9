import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { type MomentNote, useMomentNotes } from './moment-notes';
import { usePlayback } from './playback';
import { seek } from './player-commands';

/** How far apart pins are at least, in pixels: as far as a finger needs. */
const PIN_DISTANCE = 44;
/** How close a pin's middle gets to the ends of the bar, in pixels. */
const EDGE = 14;
/** The most characters of a note in a pin's name. */
const MAX_TEXT = 80;

/** A place on the time bar with one note or more. */
interface Pin {
  /** In the video's order, at least one. */
  notes: readonly [MomentNote, ...MomentNote[]];
  /** Pixels from the start of the bar. */
  x: number;
}

/**
 * Places notes on the time bar. Those whose pins would overlap share one, at the first of them.
 * @param notes in the video's order
 * @param duration seconds
 * @param width the bar's, in pixels
 */
export function groupPins(notes: readonly MomentNote[], duration: number, width: number): Pin[] {
  const pins: { notes: [MomentNote, ...MomentNote[]]; x: number }[] = [];
  if (!(duration > 0) || width <= 2 * EDGE) return pins;
  for (const note of notes) {
    const x = Math.min(Math.max((note.moment / duration) * width, EDGE), width - EDGE);
    const last = pins.at(-1);
    if (last && x - last.x < PIN_DISTANCE) last.notes.push(note);
    else pins.push({ notes: [note], x });
  }
  return pins;
}

/** Returns what a pin shows: '1', or '2–4'. */
export function pinNumbers({ notes: [first, ...others] }: Pin): string {
  const last = others.at(-1);
  return last ? `${first.number}–${last.number}` : String(first.number);
}

function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).trimEnd()}…` : line;
}

/** Returns a pin's name: 'Note 1 at 1:12: He said…', or 'Notes 2 to 4 from 1:12: He said…'. */
export function pinLabel({ notes: [first, ...others] }: Pin): string {
  const last = others.at(-1);
  const time = formatDuration(first.moment);
  const which = last
    ? `Notes ${first.number} to ${last.number} from ${time}`
    : `Note ${first.number} at ${time}`;
  return `${which}: ${shorten(first.text)}`;
}

/** Shows notes about moments as numbered pins on the time bar. A press goes to the moment. */
export function NotePins({
  duration,
}: {
  /** Seconds. */
  duration: number;
}) {
  const { run } = usePlayback();
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
          onClick={() => run((video) => seek(video, pin.notes[0].moment))}
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
