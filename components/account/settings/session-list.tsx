'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { LocalTime } from '@/components/ui/local-time';
import { showError } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import type { SessionSummary } from '@/lib/account/sessions/contract';
import { call } from '@/lib/api/shared/client';

/** Lists where the account is signed in, with buttons to sign out. */
export function SessionList({ sessions }: { sessions: SessionSummary[] }) {
  const router = useRouter();
  const [busy, setBusy] = useState<string>();

  async function signOut(button: string, revoke: () => Promise<unknown>, done: string) {
    setBusy(button);
    try {
      await revoke();
      toast.success(done);
      router.refresh();
    } catch (error) {
      showError(error);
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
                <span>{device}</span>
                {current && <span className="font-normal text-ok"> · this device</span>}
              </p>
              <p className="text-14 text-ink-3">
                Location unknown · last seen <LocalTime iso={lastSeenAt} />
              </p>
            </div>
            {!current && (
              <Button
                variant="secondary"
                size="sm"
                busy={busy === id}
                aria-label={`Sign out ${device}`}
                onClick={() =>
                  signOut(id, () => call('POST /sessions/:id/revoke', { params: { id } }), 'Signed out.')
                }
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
          onClick={() =>
            signOut('others', () => call('POST /sessions/revoke_others'), 'Signed out everywhere else.')
          }
        >
          Sign out everywhere else
        </Button>
      )}
    </div>
  );
}
