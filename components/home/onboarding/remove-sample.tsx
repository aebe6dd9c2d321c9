'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';

/**
 * Removes the sample entry from the empty journal, on every device. That can be undone.
 * @param onRemoved runs before the page changes, to move the focus
 */
export function RemoveSample({ onRemoved }: { onRemoved?: () => void }) {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);

  function undo() {
    call('POST /onboarding/restore', { body: { step: 'sample' } }).then(() => router.refresh(), showError);
  }

  async function remove() {
    setIsBusy(true);
    try {
      await call('POST /onboarding/dismiss', { body: { step: 'sample' } });
      if (onRemoved) {
        onRemoved();
        router.refresh();
      } else router.push('/');
      toast.success('Sample removed.', { label: 'Undo', onPress: undo });
    } catch (error) {
      showError(error);
      setIsBusy(false);
    }
  }

  return (
    <Button variant="ghost" className="relative" busy={isBusy} onClick={() => void remove()}>
      Remove sample
    </Button>
  );
}
