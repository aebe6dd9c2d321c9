import { Suspense } from 'react';
import type { SharedVideo } from '@/components/capture/uploads/shared/shared-store';
import { lazyComponent } from '@/components/ui/load-code';
import type { RecoveredRecording } from './recorder-state';

const RecoveredRecordings = lazyComponent(() => import('./recovered-recordings'), 'RecoveredRecordings');
const ShareQuestion = lazyComponent(
  () => import('@/components/capture/uploads/shared/share-question'),
  'ShareQuestion',
);

/**
 * Offers videos that another app shared, and recordings from earlier visits.
 * @param share the videos to ask about, and what the answers do
 * @param mayAdd whether there's space in the form for them now
 */
export function Offers({
  share,
  mayAdd,
  recordings,
  onUpload,
  onDiscard,
  className,
}: {
  share: { asked: readonly SharedVideo[] | null; accept: () => void; decline: () => void };
  mayAdd: boolean;
  recordings: readonly RecoveredRecording[];
  onUpload: (recording: RecoveredRecording) => void;
  onDiscard: (recording: RecoveredRecording) => void;
  className: string | undefined;
}) {
  if (!share.asked && recordings.length === 0) return null;
  return (
    <div className={`${className} flex flex-col gap-4`}>
      <Suspense fallback={null}>
        {share.asked && (
          <ShareQuestion
            videos={share.asked}
            mayAdd={mayAdd}
            onAdd={share.accept}
            onDecline={share.decline}
          />
        )}
        {recordings.length > 0 && (
          <RecoveredRecordings recordings={recordings} onUpload={onUpload} onDiscard={onDiscard} />
        )}
      </Suspense>
    </div>
  );
}
