import { useEffect, useReducer, useRef, useState } from 'react';
import { useEntryFields } from '@/components/capture/uploads/form/entry-fields';
import { loadChosenFile } from '@/components/capture/uploads/form/load-chosen-file';
import { useMoreFiles } from '@/components/capture/uploads/form/use-more-files';
import { loadQueue } from '@/components/capture/uploads/queue/load-queue';
import type { UploadRequest } from '@/components/capture/uploads/queue/send-upload';
import { clearFinishedUploads, isAwaitedUpload } from '@/components/capture/uploads/queue/upload-queue-store';
import { useStudioUploads } from '@/components/capture/uploads/queue/use-studio-uploads';
import { discardShared, sharedIds } from '@/components/capture/uploads/shared/shared-videos';
import { createLiveUpload } from '@/components/capture/uploads/transfer/live-upload';
import { holdReload } from '@/components/ui/load-code';
import { useIsOfflinePage, useNavigate } from '@/components/ui/offline-page';
import { toast } from '@/components/ui/toast';
import { copiedLimits, type FileLimits, findLimitProblem } from '@/lib/billing/plans/shared/file-limits';
import { formatUsDate } from '@/lib/journal/entries/shared/calendar';
import type { Tag } from '@/lib/journal/tags/contract';
import type { DraftTranscript } from '@/lib/video/speech/draft';
import { deleteOldDiscarded, discardRecording } from './discard-recording';
import {
  INITIAL_STATE,
  type Recording,
  type RecoveredRecording,
  shouldWarnOnLeave,
  studioReducer,
} from './recorder-state';
import { adoptRecording, deleteLocalCopy } from './recording-store';
import { watchRecoverableRecordings } from './recoverable-recordings';
import { titleOfTime } from './suggested-title';
import { useRecorder } from './use-recorder';
import { useShare } from './use-share';
import { useLiveWords } from './words/use-live-words';
import { readWholeDraft } from './words/words-store';

/** Makes the browser ask before the page is closed or reloaded while `active`. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}

/** Keeps the page from reloading itself for a new version while `active`. */
function useHoldReload(active: boolean): void {
  useEffect(() => (active ? holdReload() : undefined), [active]);
}

/**
 * Runs the studio: the camera, the form, and what's uploaded from it.
 * @param speechFolder the address of what recognizes speech
 * @param adoptedId the recording made before signing up that becomes an entry
 */
export function useStudio(
  userId: string,
  limits: FileLimits,
  speechFolder: string,
  adoptedId: string | null,
) {
  const navigate = useNavigate();
  const isOfflinePage = useIsOfflinePage();
  const [state, dispatch] = useReducer(studioReducer, INITIAL_STATE);
  const [live] = useState(createLiveUpload);
  const { stream, start, ...recorder } = useRecorder(userId, dispatch, live, limits);
  const fields = useEntryFields(userId);
  const more = useMoreFiles(limits);
  const [tags, setTags] = useState<readonly Tag[]>([]);
  const form = useRef<HTMLFormElement>(null);
  /** How many times an upload was refused because of its fields. */
  const [refusals, setRefusals] = useState(0);
  /** Whether everything is uploaded and the next page is loading, which is a page load if a release came meanwhile. */
  const [finished, setFinished] = useState(false);
  /** Retrying the same file continues the same upload. */
  const ids = useRef(new WeakMap<File, string>());
  /** The upload whose video, title and date are still in the form. */
  const inForm = useRef<{ id: string; video: File } | null>(null);
  const { camera, file, recovered } = state;
  const recording = camera.phase === 'recorded' ? camera.recording : null;
  const words = useLiveWords(speechFolder, camera, stream);
  const cameraBusy = camera.phase !== 'idle' && !recording;

  const uploads = useStudioUploads(userId, () => {
    if (share.isWaiting) fields.clearOlder();
    // One that came meanwhile, from another app, is still to be uploaded.
    if (share.isWaiting || (file && inForm.current?.video !== file)) return clearFinishedUploads();
    setFinished(true);
    fields.clear();
    navigate('/journals');
  });
  const busy = uploads.some(isAwaitedUpload);

  useLeaveWarning(shouldWarnOnLeave(state) && !finished);
  // A chosen file would have to be chosen again, and a camera that's on is about to record.
  useHoldReload(file !== null || more.files.length > 0 || camera.phase !== 'idle');
  useEffect(() => () => live.abort(), [live]);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [refusals]);

  useEffect(() => void deleteOldDiscarded(userId), [userId]);
  // Early, so that a file can be chosen without a network, or after a release.
  useEffect(() => void loadChosenFile(), []);
  useEffect(() => {
    if (adoptedId) adoptRecording(adoptedId, userId).catch(() => {});
  }, [adoptedId, userId]);
  const adopted = recovered.find(({ id }) => id !== null && id === adoptedId);
  useEffect(() => {
    if (adopted) dispatch({ type: 'restored', recording: adopted });
  }, [adopted]);
  useEffect(
    () => watchRecoverableRecordings(userId, (recordings) => dispatch({ type: 'found', recordings })),
    [userId],
  );

  async function choose(chosen: File) {
    const { readChosenFile } = await loadChosenFile();
    const read = await readChosenFile(chosen, limits);
    if ('problem' in read) return toast.error(read.problem);
    if (file) void discardShared(file);
    dispatch({ type: 'file-chosen', file: read.video });
    if (read.recorded) fields.suggest({ date: formatUsDate(read.recorded) });
  }

  function idOf(chosen: File): string {
    const id = ids.current.get(chosen) ?? sharedIds.get(chosen) ?? crypto.randomUUID();
    ids.current.set(chosen, id);
    return id;
  }

  /**
   * Uploads the chosen file or a recording, along with any additional files.
   * @param draft what was heard in the recording, once that's complete
   * @param title for one without
   */
  function upload(
    video: File,
    copy: Recording | null,
    draft: Promise<DraftTranscript | null> | null,
    title = '',
  ) {
    const values = fields.check(title);
    const others = copy ? [] : more.check();
    if (!values || !others) return setRefusals((before) => before + 1);
    if (busy) return;
    const tagIds = tags.map(({ id }) => id);
    const isOffline = isOfflinePage || !navigator.onLine;
    let first: UploadRequest = { id: idOf(video), file: video, tagIds, inBackground: isOffline, ...values };
    if (copy) {
      const { id, waitUntilSent } = live.handOver(copy.id);
      const drop = async () => {
        if (copy.id) await deleteLocalCopy(copy.id);
      };
      first = {
        ...first,
        id,
        recording: { waitUntilSent, deleteCopy: drop, hasCopy: copy.id !== null, draft },
      };
    }
    const requests = [first, ...others.map((other) => ({ ...other, inBackground: isOffline }))];
    void loadQueue().then((queue) => queue.enqueueUploads(userId, requests));
    const staysInForm = others.length === 0 && !first.inBackground;
    inForm.current = staysInForm ? { id: first.id, video } : null;
    if (staysInForm) return;
    // From now on, each has its own row in the list.
    dispatch(copy ? { type: 'recording-removed', recording: copy } : { type: 'file-removed' });
    more.clear();
    fields.clear();
    setTags([]);
  }

  function uploadRecording(recorded: Recording | RecoveredRecording) {
    if ('startedAt' in recorded) return uploadRecovered(recorded);
    const draft = (words.wanted && words.live?.draftOf(recorded.id)) || null;
    upload(recorded.file, recorded, draft, titleOfTime(new Date()));
  }

  function uploadRecovered(left: RecoveredRecording) {
    // It was recorded within the limits of its codecs, of which only the size is known here.
    const problem = findLimitProblem(copiedLimits(limits), {
      bytes: left.file.size,
      seconds: (left.length ?? 0) / 1000,
    });
    if (problem) toast.error(problem);
    else {
      const title = left.words?.draft.title ?? titleOfTime(new Date(left.startedAt));
      upload(left.file, left, left.id ? readWholeDraft(left.id, left.length) : null, title);
    }
  }

  function discard(left: Recording) {
    dispatch({ type: 'recording-removed', recording: left });
    // One from this page comes back where it was. Others are found again.
    const restore = left === recording ? () => dispatch({ type: 'restored', recording: left }) : undefined;
    void discardRecording(left, 'Recording discarded.', restore);
  }

  const mayChoose = !cameraBusy && !busy;
  const share = useShare(userId, limits, mayChoose, (opened) => {
    if ('problem' in opened) return dispatch({ type: 'problem-changed', problem: opened.problem });
    // They don't take the place of one that was chosen while they waited.
    if (file) return void more.add(opened.files);
    const [first, ...others] = opened.files;
    if (!first) return;
    if (opened.isNew) fields.clearOlder();
    if (opened.title) fields.suggest({ title: opened.title });
    void choose(first);
    void more.add(others);
  });
  const offered = camera.phase === 'idle' && !file && !busy ? recovered : [];
  const video = file ?? recording?.file;
  const actions = {
    ...recorder,
    start: () => void start(recording),
    upload: () => video && (file || !recording ? upload(video, null, null) : uploadRecording(recording)),
  };

  /** Retries an upload, with what the form says now if it's still there. */
  function retry(id: string) {
    const isFailed = uploads.some((one) => one.id === id && one.phase === 'failed');
    if (isFailed && video && inForm.current?.id === id && inForm.current.video === video) actions.upload();
    else void loadQueue().then((queue) => queue.retryUpload(id));
  }

  return {
    state,
    stream,
    live,
    fields,
    more,
    tags,
    setTags,
    form,
    words,
    uploads,
    busy,
    /** Recordings from earlier visits, while nothing else is going on. */
    offered,
    recording,
    mayChoose,
    /** Videos that another app shared, to ask about while the camera isn't in use. */
    asked: cameraBusy ? null : share.asked,
    share,
    actions,
    choose,
    removeFile() {
      if (file) void discardShared(file);
      dispatch({ type: 'file-removed' });
    },
    uploadRecovered,
    discard,
    retry,
  };
}
