import { formatDuration } from '@/components/journal/entries/format-duration';
import { noteElementId } from '@/components/journal/player/moment-notes';
import { usePlayback } from '@/components/journal/player/playback';
import type { Note } from '@/lib/journal/notes/contract';

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Shows notes where there's no server. Those that belong to a moment play from there. */
export function ReadNotes({ notes }: { notes: readonly Note[] }) {
  const { playFrom } = usePlayback();
  if (notes.length === 0) return null;
  return (
    <section id="notes" aria-labelledby="notes-heading" className="flex flex-col gap-3">
      <h2 id="notes-heading" className="text-17 font-semibold">
        Notes
      </h2>
      <ul className="flex flex-col gap-3">
        {notes.map(({ id, text, moment, createdAt }) => (
          <li
            key={id}
            id={noteElementId(id)}
            className="rounded-12 border border-line bg-surface p-4 target:border-accent"
          >
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {text}
            </p>
            <div className="mt-1 -mb-2 flex min-h-11 flex-wrap items-center gap-x-3">
              {moment !== null && (
                <button
                  type="button"
                  aria-label={`Play from ${formatDuration(moment)}`}
                  onClick={() => playFrom(moment)}
                  className="inline-flex min-h-11 items-center text-14 font-semibold text-accent-ink tabular-nums hover:underline"
                >
                  {formatDuration(moment)}
                </button>
              )}
              <time dateTime={createdAt} className="text-13 text-ink-3">
                {dateFormat.format(new Date(createdAt))}
              </time>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
