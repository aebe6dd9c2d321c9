'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { ApiError, call } from '@/lib/contract/client';
import { retryTranscription } from '@/lib/transcripts/routes';

/** Asks for the transcript once more and shows the page as it then is. */
export function RetryTranscription({ entryId }: { entryId: string }) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [refreshing, refresh] = useTransition();
  async function retry() {
    setAsking(true);
    try {
      await call(retryTranscription, { params: { id: entryId } });
    } catch (error) {
      // A conflict says that it is under way already, so the fresh page is the answer.
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
