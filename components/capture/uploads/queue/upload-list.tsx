import { CircleCheck } from 'lucide';
import { asVideo } from '@/components/capture/uploads/video-file/video-type';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ProgressBar } from '@/components/ui/progress-bar';
import { showProblem } from '@/components/ui/show-error';
import { formatTimeLeft } from '@/components/ui/time-left';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { isActiveUpload, isAwaitedUpload, type QueuedUpload } from './upload-queue-store';

interface UploadActions {
  /** Called to retry an upload that has failed, or to not wait any longer. */
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
  /** Called with the file of an interrupted upload. Resolves to false if it's another file. */
  onFile: (id: string, file: File) => Promise<boolean>;
}

const percentOf = ({ sent, total }: QueuedUpload) => (total > 0 ? Math.floor((sent / total) * 100) : 0);

function headingOf(uploads: readonly QueuedUpload[]): string {
  const active = uploads.filter(isActiveUpload);
  if (active.length > 0) {
    const waits = !active.some(isAwaitedUpload) && active.some(({ problem }) => problem !== null);
    return waits ? 'Waiting to upload' : 'Uploading...';
  }
  return uploads.every(({ phase }) => phase === 'done') ? 'Uploaded' : 'Not uploaded yet';
}

/** Describes an upload's status in a sentence that changes only when something happens. */
function statusText(upload: QueuedUpload): string {
  if (upload.problem) return upload.problem.sentence;
  if (upload.phase === 'waiting') return 'Queued';
  if (upload.phase === 'file-needed')
    return `${upload.name} was interrupted at ${percentOf(upload)}%. Choose the same file to continue.`;
  return upload.phase === 'done' ? 'Uploaded' : '';
}

function Row({
  upload,
  named,
  onRetry,
  onCancel,
  onFile,
}: UploadActions & { upload: QueuedUpload; named: boolean }) {
  const { id, phase, sent, total, title, problem, secondsLeft } = upload;
  const what = named ? ` ${title}` : '';
  // Without a connection, a bar would only show that nothing moves.
  const isMoving = phase === 'sending' && !(upload.inBackground && problem);
  return (
    <li className="flex flex-col gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        {named && (
          <p dir="auto" className="min-w-0 break-words text-15 font-semibold">
            {title}
          </p>
        )}
        {isMoving && (
          <p className="text-14 text-ink-2 tabular-nums">
            {percentOf(upload)}% · {formatBytes(sent)} of {formatBytes(total)}
          </p>
        )}
      </div>
      {isMoving && <ProgressBar label={`Upload${what}`} value={sent} max={total} />}
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-40 text-14 text-ink-2">
          <p role="status" className={phase === 'failed' ? 'text-danger' : undefined}>
            {phase === 'done' && (
              <Icon of={CircleCheck} className="mr-1.5 inline size-4 text-ok" aria-hidden="true" />
            )}
            <span>{statusText(upload)}</span>
          </p>
          {phase === 'sending' && secondsLeft !== null && <p>{formatTimeLeft(secondsLeft)}</p>}
        </div>
        <div className="flex shrink-0 flex-wrap gap-2">
          {(phase === 'failed' || (phase === 'sending' && problem)) && (
            <Button
              size="sm"
              variant={upload.inBackground ? 'secondary' : 'primary'}
              aria-label={named ? `Try again: ${title}` : undefined}
              onClick={() => onRetry(id)}
            >
              Try again
            </Button>
          )}
          {phase === 'file-needed' && (
            <label className="inline-flex min-h-11 cursor-pointer items-center rounded-pill bg-accent px-3.5 text-14 font-semibold text-on-accent hover:bg-accent-hover has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus">
              Choose file
              <input
                type="file"
                className="sr-only"
                aria-label={`Choose ${upload.name} again`}
                onChange={async (event) => {
                  const chosen = event.target.files?.[0];
                  event.target.value = '';
                  if (!chosen) return;
                  const file = await asVideo(chosen);
                  if (!file || !(await onFile(upload.id, file))) {
                    showProblem(`That’s a different file. Choose ${upload.name} to continue.`);
                  }
                }}
              />
            </label>
          )}
          {phase !== 'done' && (
            <Button
              variant="secondary"
              size="sm"
              disabled={phase === 'sending' && sent === total && !problem}
              aria-label={`${isActiveUpload(upload) ? 'Cancel' : 'Discard'}${what}`}
              onClick={() => onCancel(id)}
            >
              {isActiveUpload(upload) ? 'Cancel' : 'Discard'}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

/** Shows each upload's progress and actions. */
export function UploadList({ uploads, ...actions }: UploadActions & { uploads: readonly QueuedUpload[] }) {
  const named = uploads.length > 1 || !uploads.some(isAwaitedUpload) || uploads[0]?.title === '';
  return (
    <section
      aria-label="Uploads"
      className="mx-auto flex w-full max-w-2xl flex-col gap-3 rounded-18 border border-line bg-surface p-5"
    >
      <p role="status" className="text-17 font-semibold">
        {headingOf(uploads)}
      </p>
      <ul className="flex flex-col gap-4">
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} named={named} {...actions} />
        ))}
      </ul>
    </section>
  );
}
