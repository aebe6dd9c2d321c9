import { type Dispatch, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  clearFinishedUploads,
  isAwaitedUpload,
  queueVisibleStore,
  useUploads,
} from '@/components/capture/uploads/queue/upload-queue-store';
import type { VideoUpload } from '@/components/capture/uploads/queue/video-upload';
import { sharedIds } from '@/components/capture/uploads/shared/shared-videos';
import { createLiveUploads } from '@/components/capture/uploads/transfer/live-upload';
import { loadCodePatiently } from '@/components/ui/load-code';
import { useIsOfflinePage } from '@/components/ui/offline-page';
import { toast } from '@/components/ui/toast';
import { copiedLimits, type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';
import type { NewNote } from '@/lib/journal/notes/contract';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { readWholeDraft } from './captions/words-store';
import type { Recording, RecoveredRecording, StudioEvent } from './recorder-state';
import { titleOfTime } from './suggested-title';
import type { StudioFormState } from './use-studio-form';

// Uploading isn't needed for the page to be shown. Both are loaded once it is, since the network may be gone by the time a
// recording needs them.
const loadQueue = () => loadCodePatiently(() => import('@/components/capture/uploads/queue/queue'));
const loadInterruptedUploads = () =>
  loadCodePatiently(() => import('@/components/capture/uploads/queue/interrupted-uploads'));

/**
 * Runs the studio's uploads: recordings as they're made, and the queue, whose uploads of an earlier visit are resumed.
 * @param onDone called once all uploads are done that the user has waited for, with the one whose fields are in the form
 */
export function useStudioUploads(
  owner: string,
  limits: FileLimits,
  form: StudioFormState,
  dispatch: Dispatch<StudioEvent>,
  onDone: (inForm: File | undefined) => void,
) {
  const isOfflinePage = useIsOfflinePage();
  const [live] = useState(createLiveUploads);
  const uploads = useUploads();
  const busy = uploads.some(isAwaitedUpload);
  /** Retrying the same file continues the same upload. */
  const ids = useRef(new WeakMap<File, string>());
  /** The upload whose video, title and date are still in the form. */
  const inForm = useRef<{ id: string; video: File } | null>(null);
  /** The uploads that the user waits for, or has waited for since all were done. */
  const awaitedIds = useRef(new Set<string>());
  const finish = useEffectEvent(() => onDone(inForm.current?.video));

  useEffect(() => () => live.stop(), [live]);
  useEffect(() => {
    clearFinishedUploads();
    queueVisibleStore.set(true);
    void Promise.all([loadInterruptedUploads(), loadQueue()]).then(([{ resumeUploads }]) =>
      resumeUploads(owner),
    );
    return () => queueVisibleStore.set(false);
  }, [owner]);
  useEffect(() => {
    const active = uploads.filter(isAwaitedUpload);
    for (const { id } of active) awaitedIds.current.add(id);
    if (active.length > 0) return;
    const ended = uploads.filter(({ id }) => awaitedIds.current.has(id));
    awaitedIds.current.clear();
    if (ended.length > 0 && ended.every(({ phase }) => phase === 'done')) finish();
  }, [uploads]);

  function idOf(file: File): string {
    const id = ids.current.get(file) ?? sharedIds.get(file) ?? crypto.randomUUID();
    ids.current.set(file, id);
    return id;
  }

  /** @param removed what to do with the first one if it doesn't stay in the form until it's uploaded */
  function enqueue(first: VideoUpload, others: readonly VideoUpload[], removed: StudioEvent): void {
    const inBackground = isOfflinePage || !navigator.onLine;
    const videos = [first, ...others].map((video) => ({ ...video, inBackground }));
    void loadQueue().then((queue) => queue.enqueueUploads(owner, videos));
    const staysInForm = others.length === 0 && !inBackground;
    inForm.current = staysInForm ? { id: first.id, video: first.file } : null;
    if (staysInForm) return;
    // From now on, each has its own row in the list.
    dispatch(removed);
    form.clear();
  }

  /**
   * @param heard what was heard in it, once that's complete; that of a recovered one is read from this device
   * @param notes what its marks become
   */
  function uploadRecording(
    recording: Recording | RecoveredRecording,
    heard: Promise<DraftTranscript | null> | null,
    notes: readonly NewNote[],
  ): void {
    const { id: copyId, file, question } = recording;
    let [title, draft] = [titleOfTime(new Date()), heard];
    if ('startedAt' in recording) {
      const { length, startedAt, words } = recording;
      // It was recorded within the limits of its codecs, of which only the size is known here.
      const known = { bytes: file.size, seconds: (length ?? 0) / 1000 };
      const problem = findLimitProblem(copiedLimits(limits), known);
      if (problem) return void toast.error(problem);
      title = words?.draft.title ?? titleOfTime(new Date(startedAt));
      draft = copyId ? readWholeDraft(copyId, length) : null;
    }
    const checked = form.check({ defaultTitle: title });
    if (!checked || busy) return;
    const upload = live.handOver(copyId);
    const id = upload?.id ?? copyId ?? idOf(file);
    const video = {
      id,
      file,
      ...checked.entry,
      question: question ?? '',
      ...(notes.length > 0 && { notes }),
      recording: { live: upload, hasCopy: copyId !== null, draft },
    };
    enqueue(video, [], { type: 'recording-removed', recording });
  }

  return {
    live,
    list: uploads,
    /** Whether the user waits for an upload. */
    busy,
    /** Uploads the chosen file, along with any additional ones. */
    uploadFile(file: File) {
      const checked = form.check('file');
      if (!checked || busy) return;
      enqueue({ id: idOf(file), file, ...checked.entry }, checked.others, {
        type: 'file-changed',
        file: null,
      });
    },
    uploadRecording,
    /**
     * Retries an upload.
     * @param video the one in the form
     * @param uploadAgain uploads that one with what the form says now, if it's the one to retry
     */
    retry(id: string, video: File | undefined, uploadAgain: () => void) {
      const isFailed = uploads.some((one) => one.id === id && one.phase === 'failed');
      const isInForm = video && inForm.current?.id === id && inForm.current.video === video;
      if (isFailed && isInForm) uploadAgain();
      else void loadQueue().then((queue) => queue.retryUpload(id));
    },
    cancel: (id: string) => void loadQueue().then((queue) => queue.cancelUpload(id)),
    /** Resumes an interrupted upload with its file. @returns false if it's another file */
    async resume(id: string, file: File): Promise<boolean> {
      const { resumeWithFile } = await loadInterruptedUploads();
      return resumeWithFile(id, file);
    },
  };
}
