'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/components/ui/error-message';
import { toast } from '@/components/ui/toast';
import { ApiError, api } from '@/lib/contract/client';

/** Asks for the transcript once more and shows the page as it then is. */
export function RetryTranscription({ entryId }: { entryId: string }) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [refreshing, refresh] = useTransition();
  async function retry() {
    setAsking(true);
    try {
      await api('POST', `/entry/${entryId}/transcription/retry`);
    } catch (error) {
      // A conflict says that it is under way already, so the fresh page is the answer.
      if (!(error instanceof ApiError && error.code === 'conflict')) toast.error(errorMessage(error));
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
