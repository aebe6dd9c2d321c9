import { formatDuration } from '@/components/journal/entries/format-duration';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { areWhole } from './captions/words-store';
import { FilePlayer } from './file-player';
import type { RecoveredRecording } from './recorder-state';

const DATE_FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Offers to upload or discard recordings from earlier visits. */
export function RecoveredRecordings({
  recordings,
  onUpload,
  onDiscard,
}: {
  recordings: readonly RecoveredRecording[];
  onUpload: (recording: RecoveredRecording) => void;
  onDiscard: (recording: RecoveredRecording) => void;
}) {
  const many = recordings.length > 1;
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-17 font-semibold">
          {many
            ? `${recordings.length} recordings were saved on this device`
            : 'A recording was saved on this device'}
        </h2>
        <p className="mt-1 text-14 text-ink-2">
          {many
            ? 'Not uploaded yet. Add a title and upload them one at a time, or discard them.'
            : 'Not uploaded yet. Add a title and upload it, or discard it.'}
        </p>
      </div>
      <ul className="flex flex-col gap-4">
        {recordings.map((recording, index) => (
          <li
            key={recording.id}
            className="grid gap-x-5 gap-y-3 border-t border-line pt-4 first:border-0 first:pt-0 sm:grid-cols-[240px_minmax(0,1fr)]"
          >
            <FilePlayer
              file={recording.file}
              label={many ? `Recovered recording ${index + 1}` : 'Recovered recording'}
              className="aspect-video w-full rounded-12 bg-sunken object-contain"
            />
            <div className="flex flex-col gap-3">
              <p className="text-15 text-ink-2 tabular-nums">
                {[
                  DATE_FORMAT.format(recording.startedAt),
                  recording.length !== null && formatDuration(recording.length / 1000),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              {recording.question && (
                <p dir="auto" className="font-serif text-17 text-balance">
                  {recording.question}
                </p>
              )}
              {recording.words && (
                <>
                  <p className="line-clamp-3 font-serif text-16 text-ink-2">
                    {recording.words.draft.words.map(({ word }) => word).join(' ')}
                  </p>
                  {!areWhole(recording.words, recording.length) && (
                    <p className="text-14 text-ink-2">
                      Some words are missing. We’ll transcribe the whole recording after you upload it.
                    </p>
                  )}
                </>
              )}
              <div className="flex flex-wrap gap-3">
                <Button onClick={() => onUpload(recording)}>Upload recovered recording</Button>
                <Button variant="secondary" onClick={() => onDiscard(recording)}>
                  Discard
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
