'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/contract/client';
import { retryVideo } from '@/lib/entries/routes';

/** Processes the video again and refreshes the page. */
export function RetryVideo({ entryId }: { entryId: string }) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const [refreshing, refresh] = useTransition();
  async function retry() {
    setAsking(true);
    try {
      await call(retryVideo, { params: { id: entryId } });
    } catch (error) {
      showError(error);
    }
    refresh(() => router.refresh());
    setAsking(false);
  }
  return (
    <Button busy={asking || refreshing} onClick={() => void retry()}>
      Try again
    </Button>
  );
}
