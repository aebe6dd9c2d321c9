import { useEffect, useReducer, useState } from 'react';
import { useDropTarget } from '@/components/capture/uploads/form/file-drop';
import { clearFinishedUploads } from '@/components/capture/uploads/queue/upload-queue-store';
import { loadDialog } from '@/components/ui/dialog';
import { holdReload, loadCodePatiently } from '@/components/ui/load-code';
import { useNavigate } from '@/components/ui/offline-page';
import { toast } from '@/components/ui/toast';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { useLiveCaptions } from './captions/use-live-captions';
import { discardRecording } from './discard-recording';
import { LAYOUTS, layoutOf } from './layouts/layouts';
import { notesOf, useMarks } from './marks';
import { INITIAL_STATE, type Recording, studioReducer } from './recorder-state';
import { saveDetails } from './recording-store';
import { useRecoverableRecordings } from './recoverable-recordings';
import { useSuggestedTitle } from './suggested-title';
import { useRecorder } from './use-recorder';
import { useShare } from './use-share';
import { loadReviewMarks, loadReviewTags, useStudioForm } from './use-studio-form';
import { useStudioUploads } from './use-studio-uploads';

export const loadUploadList = () =>
  loadCodePatiently(() => import('@/components/capture/uploads/queue/upload-list'));

/** The studio: what it shows, and what can be done in it. */
export type StudioModel = ReturnType<typeof useStudio>;

export interface StudioProps {
  userId: string;
  limits: FileLimits;
  /** Where what recognizes speech is, and its size. */
  speech: BrowserSpeech;
  /** The question to ask first; empty for none. */
  question: string;
  /** The recording made before signing up that becomes an entry. */
  adoptedId: string | null;
}

/** Runs the studio: the camera, the form, and the uploads. */
export function useStudio({ userId, limits, speech, question: first, adoptedId }: StudioProps) {
  const navigate = useNavigate();
  const [state, dispatch] = useReducer(studioReducer, INITIAL_STATE);
  const { camera, file, recovered } = state;
  const recording = camera.phase === 'recorded' ? camera.recording : null;
  const isInUse = camera.phase !== 'idle';
  const isRunning = isInUse && !recording;
  /** Whether everything is uploaded and the next page is loading, which is a page load if a release came meanwhile. */
  const [finished, setFinished] = useState(false);

  const form = useStudioForm(userId, limits, file, dispatch);
  const uploads = useStudioUploads(userId, limits, form, dispatch, (inForm) => {
    if (share.isWaiting) form.fields.clearOlder();
    // One that came meanwhile, from another app, is still to be uploaded.
    if (share.isWaiting || (file && inForm !== file)) return clearFinishedUploads();
    setFinished(true);
    form.clear();
    navigate('/journals');
  });
  const { busy } = uploads;
  /** The question that's asked; empty for none. */
  const [question, setQuestion] = useState(first);
  const about = { owner: userId, question: question || undefined };
  const { stream, ...recorder } = useRecorder(about, dispatch, uploads.live, limits);
  const captions = useLiveCaptions(speech.folder, camera, stream);
  const mayChoose = !isRunning && !busy;
  const share = useShare(userId, limits, mayChoose, (opened) => {
    if ('problem' in opened) dispatch({ type: 'problem-changed', problem: opened.problem });
    else form.addShared(opened);
  });
  useRecoverableRecordings(userId, adoptedId, recovered, dispatch);
  const suggestedTitle = useSuggestedTitle(captions, file ? null : recording, form.fields.suggest);
  const marks = useMarks(recording);
  const drop = useDropTarget(mayChoose, (dropped) => void form.choose(dropped));

  const warnsOnLeave = isInUse && !finished;
  useEffect(() => {
    if (!warnsOnLeave) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [warnsOnLeave]);
  // A chosen file would have to be chosen again, and a camera that's on is about to record.
  const holdsReload = file !== null || form.more.files.length > 0 || isInUse;
  useEffect(() => (holdsReload ? holdReload() : undefined), [holdsReload]);
  // Early, since the network may be gone when it's needed.
  useEffect(() => void loadUploadList(), []);
  useEffect(() => {
    // What a recording may need, before the network is gone or a release comes.
    if (isInUse) void Promise.all([loadDialog(), loadReviewTags(), loadReviewMarks()]);
  }, [isInUse]);

  function upload() {
    if (file) uploads.uploadFile(file);
    else if (recording)
      uploads.uploadRecording(recording, captions.draftOf(recording.id), notesOf(marks.marks));
  }

  function discard(left: Recording) {
    dispatch({ type: 'recording-removed', recording: left });
    // One from this page comes back where it was. Others are found again.
    const restore = left === recording ? () => dispatch({ type: 'restored', recording: left }) : undefined;
    void discardRecording(left, 'Recording discarded.', restore);
  }

  /** Changes which question a recording answers. Removing it can be undone. */
  function changeAnswered(answer: Recording, changed: string | undefined) {
    dispatch({ type: 'question-changed', recording: answer, question: changed });
    if (answer.id) void saveDetails(answer.id, { question: changed });
    if (changed === undefined)
      toast.success('Question removed.', {
        label: 'Undo',
        onPress: () => changeAnswered(answer, answer.question),
      });
  }

  const name = layoutOf(state);
  return {
    userId,
    question,
    setQuestion,
    ...state,
    /** The recording to look at; null if there's none. */
    recording,
    isRunning,
    stream,
    recorder,
    captions,
    form,
    /** The title that was made from what was said; null if there's none. */
    suggestedTitle,
    /** The moments that were marked in the recording. */
    marks,
    uploads,
    /** Whether the user waits for an upload. */
    busy,
    /** Whether a file can be chosen now. */
    mayChoose,
    share,
    /** Recordings to upload or discard. */
    offered: !isInUse && !file && !busy ? recovered : [],
    /** Where a file can be dropped, and whether one is over it. */
    drop,
    upload,
    discard,
    changeAnswered,
    name,
    layout: LAYOUTS[name],
  };
}
