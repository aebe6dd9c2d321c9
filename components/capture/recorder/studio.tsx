'use client';

import { Suspense, useEffect } from 'react';
import { EntryFields } from '@/components/capture/uploads/form/entry-fields';
import { FileDrop, useDropTarget } from '@/components/capture/uploads/form/file-drop';
import { Button } from '@/components/ui/button';
import { loadDialog } from '@/components/ui/dialog';
import { lazyComponent, loadCodePatiently } from '@/components/ui/load-code';
import { useIsOfflinePage } from '@/components/ui/offline-page';
import { describeLimits, type FileLimits } from '@/lib/billing/plans/shared/file-limits';
import type { BrowserSpeech } from '@/lib/video/speech/browser-build';
import { ImportLink } from './import-link';
import { LAYOUTS } from './layouts/layouts';
import { LeaveGuard } from './leave-guard';
import { LiveUploadStatus, Notices } from './notices';
import { Question } from './question';
import { RecorderControls } from './recorder-controls';
import type { StudioState } from './recorder-state';
import { useSuggestedTitle } from './suggested-title';
import { useStudio } from './use-studio';
import { VideoPreview } from './video-preview';
import { Captions } from './words/captions';
import { HeardText } from './words/heard-words';
import { WordsProblem, WordsSwitch } from './words/words-switch';

const loadSheetTags = () => loadCodePatiently(() => import('./sheet-tags'));
const SheetTags = lazyComponent(loadSheetTags, 'SheetTags');
const RecoveredRecordings = lazyComponent(() => import('./recovered-recordings'), 'RecoveredRecordings');
const ShareQuestion = lazyComponent(
  () => import('@/components/capture/uploads/shared/share-question'),
  'ShareQuestion',
);
const loadUploadList = () =>
  loadCodePatiently(() => import('@/components/capture/uploads/queue/upload-list'));
const UploadList = lazyComponent(loadUploadList, 'UploadList');
const loadMoreFiles = () => loadCodePatiently(() => import('@/components/capture/uploads/form/more-files'));
const MoreFiles = lazyComponent(loadMoreFiles, 'MoreFiles');

function layoutOf({ camera, file }: StudioState): keyof typeof LAYOUTS {
  if (file) return 'sheet';
  switch (camera.phase) {
    case 'counting':
    case 'recording':
    case 'stopping':
      return 'room';
    case 'recorded':
      return 'sheet';
    default:
      return 'armed';
  }
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
  const isOfflinePage = useIsOfflinePage();
  const studio = useStudio(userId, limits, speech.folder, adoptedId);
  const { state, fields, words, busy, recording, mayChoose, offered, asked } = studio;
  const { camera, file } = state;
  const name = layoutOf(state);
  const layout = LAYOUTS[name];
  const suggested = useSuggestedTitle(words, file ? null : recording, fields.suggest);
  const isSavedHere = !file && recording?.id != null;
  const isInUse = camera.phase !== 'idle';
  // Early, since the network may be gone when it's needed.
  useEffect(() => void Promise.all([loadUploadList(), loadMoreFiles()]), []);
  useEffect(() => {
    // What a recording may need, before the network is gone or a release comes.
    if (isInUse) void Promise.all([loadDialog(), loadSheetTags()]);
  }, [isInUse]);
  const { over, target } = useDropTarget(mayChoose, (dropped) => void studio.choose(dropped));

  const fileDrop = (
    <FileDrop
      file={file}
      over={over}
      disabled={!mayChoose}
      onChoose={studio.choose}
      onRemove={studio.removeFile}
      className={layout.file}
      labelClassName={layout.label}
    />
  );
  return (
    <div {...target} className={layout.studio}>
      {(asked || offered.length > 0) && (
        <div className={`${layout.offers} flex flex-col gap-4`}>
          <Suspense fallback={null}>
            {asked && (
              <ShareQuestion
                videos={asked}
                mayAdd={mayChoose}
                onAdd={studio.share.accept}
                onDecline={studio.share.decline}
              />
            )}
            {offered.length > 0 && (
              <RecoveredRecordings
                recordings={offered}
                onUpload={studio.uploadRecovered}
                onDiscard={studio.discard}
              />
            )}
          </Suspense>
        </div>
      )}
      {name === 'sheet' && (
        <div className={layout.sheetHead}>
          <div>
            <h2 className="heading text-[clamp(26px,1rem+2vw,36px)]">
              {file ? 'Ready to upload?' : 'Keep this one?'}
            </h2>
            {isSavedHere && (
              <p className="mt-1 text-15 text-ink-2">It’s saved on this device until you decide.</p>
            )}
          </div>
          {recording && !file && !busy && (
            <Button variant="ghost" onClick={() => studio.discard(recording)}>
              Discard
            </Button>
          )}
        </div>
      )}
      <div className={layout.part}>
        {name !== 'sheet' && <Question first={question} canChange={name === 'armed'} layout={layout} />}
        <VideoPreview
          state={state}
          stream={studio.stream}
          captions={<Captions words={words} className={layout.captions} />}
          onLook={() => void studio.actions.look()}
          layout={layout}
        />
        {name === 'sheet' && recording && !file && <HeardText words={words} recording={recording} />}
      </div>
      <div className={layout.part}>
        {name !== 'room' && (
          <form
            ref={studio.form}
            method="dialog"
            className={layout.fields}
            onSubmit={(event) => event.preventDefault()}
            noValidate
          >
            <EntryFields
              {...fields}
              disabled={busy}
              labelsHidden={name === 'armed'}
              titleHint={
                suggested !== null &&
                fields.typed.title === suggested && (
                  <p className="-mt-3 text-14 text-ink-2">Suggested from your words. Type to change it.</p>
                )
              }
              onType={fields.type}
            />
            {name === 'sheet' && (
              <Suspense fallback={<div className="h-[72px]" />}>
                <SheetTags account={userId} chosen={studio.tags} onChange={studio.setTags} />
              </Suspense>
            )}
            {file && fileDrop}
            {(file || studio.more.files.length > 0) && (
              // As high as what comes, since the buttons are below it.
              <Suspense fallback={<div className="min-h-11" />}>
                <MoreFiles more={studio.more} today={fields.today} disabled={!mayChoose} />
              </Suspense>
            )}
          </form>
        )}
        <div className={layout.status}>
          {name === 'room' && <WordsProblem words={words} />}
          <Notices state={state} onStop={studio.actions.stop} onUpload={studio.actions.upload} />
          {studio.uploads.length > 0 && (
            <Suspense fallback={null}>
              <UploadList uploads={studio.uploads} onRetry={studio.retry} />
            </Suspense>
          )}
        </div>
        {!busy && (
          <RecorderControls
            state={state}
            stream={studio.stream}
            actions={studio.actions}
            layout={layout}
            fileDrop={!file && name === 'armed' && fileDrop}
            saved={camera.phase === 'recording' && <LiveUploadStatus live={studio.live} />}
          />
        )}
      </div>
      {name === 'armed' && (
        <div className={layout.foot}>
          {!busy && <WordsSwitch words={words} bytes={speech.bytes} camera={camera} />}
          <p className="text-center text-14 text-ink-2">
            {describeLimits(limits)} {!isOfflinePage && <ImportLink />}
          </p>
        </div>
      )}
      <LeaveGuard camera={camera} onStop={studio.actions.stop} />
    </div>
  );
}
