'use client';

import { Suspense } from 'react';
import { FileDrop } from '@/components/capture/uploads/form/file-drop';
import { lazyComponent } from '@/components/ui/load-code';
import { useIsOfflinePage } from '@/components/ui/offline-page';
import { describeLimits } from '@/lib/billing/plans/shared/file-limits';
import { CaptionsProblem, CaptionsSwitch, RecordingTranscript } from './captions/captions';
import { ImportLink } from './import-link';
import { LeaveGuard } from './leave-guard';
import { notesOf } from './marks';
import { Notices } from './notices';
import { Question } from './question';
import { RecorderControls } from './recorder-controls';
import { ReviewHead } from './review-head';
import { StudioForm } from './studio-form';
import { loadUploadList, type StudioProps, useStudio } from './use-studio';
import { VideoPreview } from './video-preview';

const RecoveredRecordings = lazyComponent(() => import('./recovered-recordings'), 'RecoveredRecordings');
const ShareQuestion = lazyComponent(
  () => import('@/components/capture/uploads/shared/share-question'),
  'ShareQuestion',
);
const UploadList = lazyComponent(loadUploadList, 'UploadList');

/** Records a video or takes a file, with a date and a title, and uploads it. */
export function Studio(props: StudioProps) {
  const { limits, speech } = props;
  const isOfflinePage = useIsOfflinePage();
  const studio = useStudio(props);
  const { camera, file, recording, isRunning, captions, form, uploads, busy, mayChoose } = studio;
  const { share, offered, discard, drop, name, layout } = studio;
  const fileDrop = (
    <FileDrop
      file={file}
      over={drop.over}
      disabled={!mayChoose}
      onChoose={form.choose}
      onRemove={form.removeFile}
      className={layout.file}
      labelClassName={layout.label}
    />
  );
  return (
    <div {...drop.target} className={layout.studio}>
      {!isRunning && (share.asked || offered.length > 0) && (
        <div className={`${layout.offers} flex flex-col gap-4`}>
          <Suspense fallback={null}>
            {share.asked && (
              <ShareQuestion
                videos={share.asked}
                mayAdd={mayChoose}
                onAdd={share.accept}
                onDecline={share.decline}
              />
            )}
            {offered.length > 0 && (
              <RecoveredRecordings
                recordings={offered}
                onUpload={(found) => uploads.uploadRecording(found, null, notesOf(found.marks))}
                onDiscard={discard}
              />
            )}
          </Suspense>
        </div>
      )}
      {name === 'review' && <ReviewHead studio={studio} />}
      <div className={layout.part}>
        {name !== 'review' && <Question studio={studio} />}
        <VideoPreview studio={studio} />
        {name === 'review' && recording && !file && (
          <RecordingTranscript captions={captions} recording={recording} />
        )}
      </div>
      <div className={layout.part}>
        {name !== 'recording' && <StudioForm studio={studio}>{file && fileDrop}</StudioForm>}
        <div className={layout.status}>
          {name === 'recording' && <CaptionsProblem captions={captions} />}
          <Notices studio={studio} />
          {uploads.list.length > 0 && (
            <Suspense fallback={null}>
              <UploadList
                uploads={uploads.list}
                onRetry={(id) => uploads.retry(id, file ?? recording?.file, studio.upload)}
                onCancel={uploads.cancel}
                onFile={uploads.resume}
              />
            </Suspense>
          )}
        </div>
        {!busy && <RecorderControls studio={studio} fileDrop={!file && name === 'preview' && fileDrop} />}
      </div>
      {name === 'preview' && (
        <div className={layout.foot}>
          {!busy && <CaptionsSwitch captions={captions} bytes={speech.bytes} />}
          <p className="text-center text-14 text-ink-2">
            <span>{describeLimits(limits)} </span>
            {!isOfflinePage && <ImportLink />}
          </p>
        </div>
      )}
      <LeaveGuard camera={camera} onStop={studio.recorder.stop} />
    </div>
  );
}
