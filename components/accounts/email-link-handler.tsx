'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage } from '@/components/ui/error-message';
import { waitMinLoadingTime } from '@/components/ui/min-loading-time';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import { FormResult } from './form-result';

const CONTINUE =
  'inline-flex min-h-13 items-center rounded-pill bg-accent px-6 text-15 font-semibold text-on-accent hover:bg-accent-hover';

interface Messages {
  trying: string;
  done: string;
  failed: string;
}

/**
 * Uses an emailed link as soon as the page's script runs, so that a scanner that only opens the link changes nothing.
 * Only the verification link works this way; every other emailed link waits for a button to be pressed.
 * @param path of the operation, below `/api/v1`
 * @param otherwise what is shown below `failed`
 */
export function EmailLinkHandler({
  path,
  trying,
  done,
  failed,
  otherwise,
}: Messages & { path: string; otherwise: ReactNode }) {
  const [outcome, setOutcome] = useState<'done' | 'failed'>();
  // The token works once, and React runs effects twice in development.
  const asked = useRef(false);

  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const read = waitMinLoadingTime();
    api('POST', path)
      .finally(() => read)
      .then(
        () => setOutcome('done'),
        (error: unknown) => {
          toast.error(errorMessage(error));
          setOutcome('failed');
        },
      );
  }, [path]);

  if (outcome === 'done') {
    // A plain link: the whole page has to be rendered with the new state of the account.
    return (
      <FormResult
        then={
          <a href="/" className={CONTINUE}>
            Go to your journal
          </a>
        }
      >
        {done}
      </FormResult>
    );
  }
  if (outcome === 'failed') return <FormResult then={otherwise}>{failed}</FormResult>;
  return (
    <div role="status">
      <h1 className="heading text-[24px]">{trying}</h1>
    </div>
  );
}
