import { useEffect, useState } from 'react';
import { useUploads } from '@/components/capture/uploads/queue/upload-queue-store';
import { CornerLink } from '@/components/ui/corner-link';
import type { RecoveredRecording } from './recorder-state';
import { watchRecoverableRecordings } from './recoverable-recordings';

/** Leads to recordings that aren't uploaded yet. */
export function RecordingsPill({ userId }: { userId: string }) {
  const [found, setFound] = useState<readonly RecoveredRecording[]>([]);
  const uploads = useUploads();
  useEffect(() => watchRecoverableRecordings(userId, setFound), [userId]);
  const left = found.filter(({ id }) => !uploads.some((upload) => upload.id === id));
  if (left.length === 0) return null;
  return (
    <CornerLink label="Recordings" href="/upload">
      {left.length > 1 ? `${left.length} recordings not uploaded yet` : 'A recording isn’t uploaded yet'}
    </CornerLink>
  );
}
