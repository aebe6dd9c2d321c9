'use client';

import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { leastLoading } from '@/components/ui/least-loading';
import { PageHeading } from '@/components/ui/page-heading';
import { api } from '@/lib/http/client';

/**
 * Ends the session and goes to /login, whatever comes of it; ending it twice does no harm.
 * @param ask whether the person has to press a button first
 */
export function SignOut({ ask }: { ask: boolean }) {
  const [asking, setAsking] = useState(ask);
  useEffect(() => {
    if (asking) return;
    const ended = api('GET', '/logout').catch((error: unknown) => {
      // biome-ignore lint/suspicious/noConsole: a failed logout is logged and nothing else (specification, 8)
      console.error('Logging out failed:', error);
    });
    Promise.all([ended, leastLoading()]).then(() => window.location.replace('/login'));
  }, [asking]);
  if (asking) {
    return (
      <>
        <PageHeading lead="You may have come here from another site.">Do you want to log out?</PageHeading>
        <Button onClick={() => setAsking(false)}>Logout</Button>
      </>
    );
  }
  return (
    <div role="status">
      <h1 className="heading text-[24px]">Logging out...</h1>
    </div>
  );
}
