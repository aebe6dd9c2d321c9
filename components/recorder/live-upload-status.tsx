import { useSyncExternalStore } from 'react';
import type { LiveUpload, LiveUploadState } from '@/components/uploads/transfer/live-upload';

const MESSAGES: Partial<Record<LiveUploadState, string>> = {
  saving: 'Saved to your account as you record.',
  waiting: 'Waiting for the connection… Nothing is lost.',
  full: 'Your plan is full: this recording is kept on this device only.',
  off: 'Kept on this device until you upload it.',
};

/** One calm line on how the recording stands with the account while it is made. */
export function LiveUploadStatus({ live }: { live: LiveUpload }) {
  const state = useSyncExternalStore(live.subscribe, live.state, (): LiveUploadState => 'none');
  return (
    <p role="status" className="min-h-5 text-center text-14 text-ink-2">
      {MESSAGES[state]}
    </p>
  );
}
