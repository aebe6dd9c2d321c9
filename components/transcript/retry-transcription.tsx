'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { ApiError, call } from '@/lib/contract/client';
import { retryTranscription } from '@/lib/transcripts/routes';

/** Starts the transcription again and refreshes the page. */
export function RetryTranscription({ entryId }: { entryId: string }) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [refreshing, refresh] = useTransition();
  async function retry() {
    setAsking(true);
    try {
      await call(retryTranscription, { params: { id: entryId } });
    } catch (error) {
      // A conflict means that it's already running, so a refresh is enough.
      if (!(error instanceof ApiError && error.code === 'conflict')) showError(error);
    }
    refresh(() => router.refresh());
    setAsking(false);
  }
  return (
    <Button variant="secondary" size="sm" busy={asking || refreshing} onClick={() => void retry()}>
      Try again
    </Button>
  );
}
