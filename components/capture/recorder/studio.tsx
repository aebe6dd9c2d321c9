'use client';

import { Suspense, useEffect, useReducer, useState } from 'react';
import { FileDrop, useDropTarget } from '@/components/capture/uploads/form/file-drop';
import { clearFinishedUploads } from '@/components/capture/uploads/queue/upload-queue-store';
import { Button } from '@/components/ui/button';
import { loadDialog } from '@/components/ui/dialog';
import { holdReload, lazyComponent, loadCodePatiently } from '@/components/ui/load-code';
import { useIsOfflinePage, useNavigate } from '@/components/ui/offline-page';
import { describeLimits, type FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { Captions } from './captions/captions';
import { CaptionsProblem, CaptionsSwitch } from './captions/captions-switch';
import { RecordingTranscript } from './captions/recording-transcript';
import { useLiveCaptions } from './captions/use-live-captions';
import { discardRecording } from './discard-recording';
import { ImportLink } from './import-link';
import { LAYOUTS, layoutOf } from './layouts/layouts';
import { LeaveGuard, useLeaveWarning } from './leave-guard';
import { LiveUploadStatus, Notices } from './notices';
import { Offers } from './offers';
import { Question } from './question';
import { RecorderControls } from './recorder-controls';
import { INITIAL_STATE, type Recording, shouldWarnOnLeave, studioReducer } from './recorder-state';
import { useRecoverableRecordings } from './recoverable-recordings';
import { loadReviewTags, StudioForm, useStudioForm } from './studio-form';
import { useSuggestedTitle } from './suggested-title';
import { useRecorder } from './use-recorder';
import { useShare } from './use-share';
import { useStudioUploads } from './use-studio-uploads';
import { VideoPreview } from './video-preview';

const loadUploadList = () =>
  loadCodePatiently(() => import('@/components/capture/uploads/queue/upload-list'));
const UploadList = lazyComponent(loadUploadList, 'UploadList');

/** Asks what to do with a video. @param isSaved whether this device has it until then */
function ReviewHead({
  title,
  isSaved,
  onDiscard,
  className,
}: {
  title: string;
  isSaved: boolean;
  onDiscard: (() => void) | null;
  className: string | undefined;
}) {
  return (
    <div className={className}>
      <div>
        <h2 className="heading text-[clamp(26px,1rem+2vw,36px)]">{title}</h2>
        {isSaved && <p className="mt-1 text-15 text-ink-2">It’s saved on this device until you decide.</p>}
      </div>
      {onDiscard && (
        <Button variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </div>
  );
}

/**
 * Records a video or takes a file, with a date and a title, and uploads it.
 * @param speech where what recognizes speech is, and its size
 * @param question to answer; empty if they're switched off
 * @param adoptedId the recording made before signing up that becomes an entry
 */
export function Studio({
  userId,
  limits,
  speech,
  question,
  adoptedId,
}: {
  userId: string;
  limits: FileLimits;
  speech: BrowserSpeech;
  question: string;
  adoptedId: string | null;
}) {
  const navigate = useNavigate();
  const isOfflinePage = useIsOfflinePage();
  const [state, dispatch] = useReducer(studioReducer, INITIAL_STATE);
  const { camera, file, recovered } = state;
  const recording = camera.phase === 'recorded' ? camera.recording : null;
  const video = file ?? recording?.file;
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
  const { stream, ...recorder } = useRecorder(userId, dispatch, uploads.live, limits);
  const captions = useLiveCaptions(speech.folder, camera, stream);
  const mayChoose = !isRunning && !busy;
  const share = useShare(userId, limits, mayChoose, (opened) => {
    if ('problem' in opened) dispatch({ type: 'problem-changed', problem: opened.problem });
    else form.addShared(opened);
  });
  useRecoverableRecordings(userId, adoptedId, recovered, dispatch);
  const suggestedTitle = useSuggestedTitle(captions, file ? null : recording, form.fields.suggest);
  const { over, target } = useDropTarget(mayChoose, (dropped) => void form.choose(dropped));

  useLeaveWarning(shouldWarnOnLeave(state) && !finished);
  // A chosen file would have to be chosen again, and a camera that's on is about to record.
  const holdsReload = file !== null || form.more.files.length > 0 || isInUse;
  useEffect(() => (holdsReload ? holdReload() : undefined), [holdsReload]);
  // Early, since the network may be gone when it's needed.
  useEffect(() => void loadUploadList(), []);
  useEffect(() => {
    // What a recording may need, before the network is gone or a release comes.
    if (isInUse) void Promise.all([loadDialog(), loadReviewTags()]);
  }, [isInUse]);

  function upload() {
    if (file) uploads.uploadFile(file);
    else if (recording) uploads.uploadRecording(recording, captions.draftOf(recording.id));
  }

  function discard(left: Recording) {
    dispatch({ type: 'recording-removed', recording: left });
    // One from this page comes back where it was. Others are found again.
    const restore = left === recording ? () => dispatch({ type: 'restored', recording: left }) : undefined;
    void discardRecording(left, 'Recording discarded.', restore);
  }

  const name = layoutOf(state);
  const layout = LAYOUTS[name];
  const offered = !isInUse && !file && !busy ? recovered : [];
  const fileDrop = (
    <FileDrop
      file={file}
      over={over}
      disabled={!mayChoose}
      onChoose={form.choose}
      onRemove={form.removeFile}
      className={layout.file}
      labelClassName={layout.label}
    />
  );
  return (
    <div {...target} className={layout.studio}>
      {!isRunning && (
        <Offers
          share={share}
          mayAdd={mayChoose}
          recordings={offered}
          onUpload={(found) => uploads.uploadRecording(found, null)}
          onDiscard={discard}
          className={layout.offers}
        />
      )}
      {name === 'review' && (
        <ReviewHead
          title={file ? 'Ready to upload?' : 'Keep this one?'}
          isSaved={!file && recording?.id != null}
          onDiscard={recording && !file && !busy ? () => discard(recording) : null}
          className={layout.reviewHead}
        />
      )}
      <div className={layout.part}>
        {name !== 'review' && <Question first={question} canChange={name === 'preview'} layout={layout} />}
        <VideoPreview
          state={state}
          stream={stream}
          captions={<Captions captions={captions} className={layout.captions} />}
          onLook={() => void recorder.look()}
          layout={layout}
        />
        {name === 'review' && recording && !file && (
          <RecordingTranscript captions={captions} recording={recording} />
        )}
      </div>
      <div className={layout.part}>
        {name !== 'recording' && (
          <StudioForm
            form={form}
            account={userId}
            isPreview={name === 'preview'}
            suggestedTitle={suggestedTitle}
            busy={busy}
            mayChoose={mayChoose}
            className={layout.fields}
          >
            {file && fileDrop}
          </StudioForm>
        )}
        <div className={layout.status}>
          {name === 'recording' && <CaptionsProblem captions={captions} />}
          <Notices state={state} onStop={recorder.stop} onUpload={upload} />
          {uploads.list.length > 0 && (
            <Suspense fallback={null}>
              <UploadList uploads={uploads.list} onRetry={(id) => uploads.retry(id, video, upload)} />
            </Suspense>
          )}
        </div>
        {!busy && (
          <RecorderControls
            state={state}
            stream={stream}
            actions={{ ...recorder, start: () => void recorder.start(recording), upload }}
            layout={layout}
            fileDrop={!file && name === 'preview' && fileDrop}
            saved={camera.phase === 'recording' && <LiveUploadStatus live={uploads.live} />}
          />
        )}
      </div>
      {name === 'preview' && (
        <div className={layout.foot}>
          {!busy && <CaptionsSwitch captions={captions} bytes={speech.bytes} camera={camera} />}
          <p className="text-center text-14 text-ink-2">
            {describeLimits(limits)} {!isOfflinePage && <ImportLink />}
          </p>
        </div>
      )}
      <LeaveGuard camera={camera} onStop={recorder.stop} />
    </div>
  );
}
