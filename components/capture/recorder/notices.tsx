import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { LiveUploadState, LiveUploads } from '@/components/capture/uploads/transfer/live-upload';
import { Button } from '@/components/ui/button';
import { CAMERA_NOT_RESPONDING } from './devices';
import type { StudioModel } from './use-studio';

/** On phones, a problem would be under the bar at the bottom. */
const scrollTo = (problem: HTMLElement | null) => problem?.scrollIntoView({ block: 'nearest' });

/** Shows what went wrong and warnings during a recording, with a way to stop and upload for urgent ones. */
export function Notices({ studio }: { studio: StudioModel }) {
  const { camera, problem, voiceOffer, notice, recording, recorder, upload } = studio;
  const [uploading, setUploading] = useState(false);
  const uploadNow = useEffectEvent(upload);
  useEffect(() => {
    if (!uploading || camera.phase !== 'recorded') return;
    setUploading(false);
    uploadNow();
  }, [uploading, camera.phase]);
  const shown =
    camera.phase === 'asking' && camera.late ? { text: CAMERA_NOT_RESPONDING, urgent: false } : notice;
  return (
    <>
      {problem && (
        <div
          ref={scrollTo}
          className="flex scroll-mb-28 flex-wrap items-center gap-x-4 gap-y-3 rounded-12 border border-line bg-surface p-4 text-15"
        >
          <p role="alert" className="min-w-0 grow basis-72">
            {voiceOffer ?? problem}
          </p>
          {voiceOffer && (
            <Button
              variant="secondary"
              onClick={() => {
                recorder.switchCamera();
                void recorder.start(recording);
              }}
            >
              Record without camera
            </Button>
          )}
        </div>
      )}
      {/* Out of the layout while empty: a live region must exist before its text changes. */}
      <div role="status" className={shown ? '' : 'absolute'}>
        {shown && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-12 border border-line bg-surface p-4 text-15">
            <p className="min-w-0 grow basis-72">{shown.text}</p>
            {shown.urgent && camera.phase === 'recording' && (
              <Button
                variant="secondary"
                onClick={() => {
                  setUploading(true);
                  recorder.stop();
                }}
              >
                Stop and upload
              </Button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

const MESSAGES: Record<Extract<LiveUploadState, string>, string> = {
  short: '',
  saving: 'Saved to your account as you record.',
  full: 'Your plan is full. This recording is saved on this device only.',
  off: 'Saved on this device until you upload it.',
};

/** Shows whether the recording is being saved to the account. */
export function LiveUploadStatus({ live }: { live: LiveUploads }) {
  const state = useSyncExternalStore(live.state.subscribe, live.state.get, (): LiveUploadState => 'short');
  return (
    <p role="status" className="min-h-5 text-center text-14 text-ink-2">
      {typeof state === 'string' ? MESSAGES[state] : state.sentence}
    </p>
  );
}
