'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { errorMessage } from '@/components/ui/error-message';
import { LocalTime } from '@/components/ui/local-time';
import { toast } from '@/components/ui/toast';
import { api } from '@/lib/contract/client';
import type { SessionSummary } from '@/lib/sessions/contract';

/** Where the account is signed in, each to be signed out. */
export function SessionList({ sessions }: { sessions: SessionSummary[] }) {
  const router = useRouter();
  const [busy, setBusy] = useState<string>();

  async function signOut(which: string, path: string, done: string) {
    setBusy(which);
    try {
      await api('POST', path);
      toast.success(done);
      router.refresh();
    } catch (error) {
      toast.error(errorMessage(error));
    }
    setBusy(undefined);
  }

  return (
    <div className="flex flex-col gap-4">
      <ul className="flex flex-col">
        {sessions.map(({ id, device, current, lastSeenAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="text-15 font-semibold">
                {device}
                {current && <span className="font-normal text-ok"> · this device</span>}
              </p>
              <p className="text-14 text-ink-3">
                Place unknown · last seen <LocalTime iso={lastSeenAt} />
              </p>
            </div>
            {!current && (
              <Button
                variant="secondary"
                size="sm"
                busy={busy === id}
                aria-label={`Sign out ${device}`}
                onClick={() => signOut(id, `/sessions/${encodeURIComponent(id)}/revoke`, 'Signed out.')}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="secondary"
          className="self-start"
          busy={busy === 'others'}
          onClick={() => signOut('others', '/sessions/revoke_others', 'Signed out everywhere else.')}
        >
          Sign out everywhere else
        </Button>
      )}
    </div>
  );
}
