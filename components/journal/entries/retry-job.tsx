'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** How it looks within a transcript. */
const SMALL = { variant: 'secondary', size: 'sm' } as const;

/** Starts an entry's failed job again and refreshes the page. */
export function RetryJob({ entryId, job }: { entryId: string; job: 'video' | 'transcript' }) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [refreshing, refresh] = useTransition();
  async function retry() {
    setAsking(true);
    const params = { id: entryId };
    try {
      await (job === 'video'
        ? call('POST /entry/:id/video/retry', { params })
        : call('POST /entry/:id/transcription/retry', { params }));
    } catch (error) {
      // A transcription in conflict is already running, so a refresh is enough. A video may be gone.
      const isRunning = job === 'transcript' && error instanceof ApiError && error.code === 'conflict';
      if (!isRunning) showError(error);
    }
    refresh(() => router.refresh());
    setAsking(false);
  }
  return (
    <Button {...(job === 'transcript' && SMALL)} busy={asking || refreshing} onClick={() => void retry()}>
      Try again
    </Button>
  );
}
