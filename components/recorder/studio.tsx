'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useReducer, useRef, useState } from 'react';
import { Card } from '@/components/ui/card';
import { holdReload } from '@/components/ui/new-version';
import { toast } from '@/components/ui/toast';
import { acceptFile } from '@/components/uploads/form/accept-file';
import { EntryFields, useEntryFields } from '@/components/uploads/form/entry-fields';
import { getRecordedDate } from '@/components/uploads/form/file-date';
import { FileDrop, useDropTarget } from '@/components/uploads/form/file-drop';
import { MoreFiles, useMoreFiles } from '@/components/uploads/form/more-files';
import { enqueueUploads, retryUpload } from '@/components/uploads/queue/queue';
import type { UploadRequest } from '@/components/uploads/queue/upload-job';
import { UploadList, useStudioUploads } from '@/components/uploads/queue/upload-list';
import { isActiveUpload } from '@/components/uploads/queue/upload-queue-store';
import { createLiveUpload } from '@/components/uploads/transfer/live-upload';
import { abortRemoteUploadByClientId } from '@/components/uploads/transfer/upload-file';
import { type FileLimits, findLimitProblem } from '@/lib/plans/file-limits';
import type { BrowserSpeech } from '@/lib/speech/browser-build';
import type { DraftTranscript } from '@/lib/speech/draft';
import { usePrompts } from './prompts';
import { LiveUploadStatus, Notices, RecorderControls } from './recorder-controls';
import {
  INITIAL_STATE,
  type Recording,
  type RecoveredRecording,
  shouldWarnOnLeave,
  studioReducer,
} from './recorder-state';
import { deleteLocalCopy, watchRecoverableRecordings } from './recording-store';
import { RecoveredRecordings } from './recovered-recordings';
import { useRecorder } from './use-recorder';
import { VideoPreview } from './video-preview';
import { Captions } from './words/captions';
import { HeardText, SuggestedTitle } from './words/heard-words';
import { useLiveWords } from './words/use-live-words';
import { readWholeDraft } from './words/words-store';
import { WordsSwitch } from './words/words-switch';

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
 * Records a video or takes a file, with a date and a title, and uploads it.
 * @param speech where what recognizes speech is, and its size
 */
export function Studio({
  userId,
  limits,
  speech,
}: {
  userId: string;
  limits: FileLimits;
  speech: BrowserSpeech;
}) {
  const router = useRouter();
  const [state, dispatch] = useReducer(studioReducer, INITIAL_STATE);
  const [live] = useState(createLiveUpload);
  const { stream, start, ...recorder } = useRecorder(userId, dispatch, live, limits);
  const prompts = usePrompts();
  const fields = useEntryFields(userId);
  const more = useMoreFiles(limits);
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
  const words = useLiveWords(speech.folder, camera, stream);
  const cameraBusy = camera.phase !== 'idle' && !recording;

  const uploads = useStudioUploads(userId, () => {
    setFinished(true);
    fields.clear();
    router.push('/journals');
  });
  const busy = uploads.some(isActiveUpload);

  useLeaveWarning(shouldWarnOnLeave(state) && !finished);
  // A chosen file would have to be chosen again.
  useHoldReload(file !== null || more.files.length > 0);
  useEffect(() => () => live.abort(), [live]);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [refusals]);

  useEffect(
    () => watchRecoverableRecordings(userId, (recordings) => dispatch({ type: 'found', recordings })),
    [userId],
  );

  async function choose(chosen: File) {
    const accepted = await acceptFile(chosen, limits);
    if ('problem' in accepted) return toast.error(accepted.problem);
    const { video } = accepted;
    dispatch({ type: 'file-chosen', file: video });
    const date = await getRecordedDate(video);
    if (date) fields.suggest(date);
  }

  function idOf(chosen: File): string {
    const id = ids.current.get(chosen) ?? crypto.randomUUID();
    ids.current.set(chosen, id);
    return id;
  }

  /**
   * Uploads the chosen file or a recording, along with any additional files.
   * @param draft what was heard in the recording, once that's complete
   */
  function upload(video: File, copy: Recording | null, draft: Promise<DraftTranscript | null> | null) {
    const values = fields.check();
    const others = copy ? [] : more.check();
    if (!values || !others) return setRefusals((before) => before + 1);
    if (busy) return;
    let first: UploadRequest = { id: idOf(video), file: video, ...values };
    if (copy) {
      const { id, waitUntilSent } = live.handOver(copy.id);
      const drop = async () => {
        if (copy.id) await deleteLocalCopy(copy.id);
      };
      first = { ...first, id, recording: { waitUntilSent, deleteCopy: drop, draft } };
    }
    void enqueueUploads(userId, [first, ...others]);
    inForm.current = others.length === 0 ? { id: first.id, video } : null;
    if (others.length === 0) return;
    // From now on, each has its own row in the list.
    dispatch({ type: 'file-removed' });
    more.clear();
    fields.clear();
  }

  function uploadRecording(recorded: Recording) {
    upload(recorded.file, recorded, (words.wanted && words.live?.draftOf(recorded.id)) || null);
  }

  function uploadRecovered(left: RecoveredRecording) {
    const problem = findLimitProblem(limits, { bytes: left.file.size, seconds: (left.length ?? 0) / 1000 });
    if (problem) toast.error(problem);
    else upload(left.file, left, left.id ? readWholeDraft(left.id, left.length) : null);
  }

  function discard(left: Recording) {
    dispatch({ type: 'discarded', recording: left });
    if (!left.id) return;
    deleteLocalCopy(left.id).catch(() => {});
    void abortRemoteUploadByClientId(left.id, left.file);
  }

  const mayChoose = !cameraBusy && !busy;
  const { over, target } = useDropTarget(mayChoose, (dropped) => void choose(dropped));

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
    else retryUpload(id);
  }

  return (
    <div {...target} className="grid items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="flex min-w-0 flex-col gap-5">
        <VideoPreview
          state={state}
          stream={stream}
          prompt={prompts.text}
          captions={<Captions words={words} />}
        />
        <Notices state={state} onStop={recorder.stop} onUpload={actions.upload} />
        {uploads.length > 0 && <UploadList uploads={uploads} onRetry={retry} />}
        {!busy && <RecorderControls state={state} actions={actions} prompts={prompts} />}
        {camera.phase === 'recording' && <LiveUploadStatus live={live} />}
        {recording && !file && <HeardText words={words} recordingId={recording.id} />}
        {!busy && !file && <WordsSwitch words={words} bytes={speech.bytes} camera={camera} />}
      </div>
      <div className="flex flex-col gap-6">
        {offered.length > 0 && (
          <RecoveredRecordings recordings={offered} onUpload={uploadRecovered} onDiscard={discard} />
        )}
        <Card>
          <form
            ref={form}
            method="dialog"
            className="flex flex-col gap-5"
            onSubmit={(event) => event.preventDefault()}
            noValidate
          >
            <EntryFields {...fields} disabled={busy} onType={fields.type} />
            {recording && !file && !busy && (
              <SuggestedTitle
                words={words}
                recordingId={recording.id}
                title={fields.typed.title}
                onUse={(title) => fields.type({ title })}
              />
            )}
            <FileDrop
              file={file}
              over={over}
              disabled={!mayChoose}
              onChoose={choose}
              onRemove={() => dispatch({ type: 'file-removed' })}
              limits={limits}
            />
            {(file || more.files.length > 0) && (
              <MoreFiles more={more} today={fields.today} disabled={!mayChoose} />
            )}
          </form>
        </Card>
      </div>
    </div>
  );
}
