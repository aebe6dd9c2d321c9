'use client';

import { useEffect, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { RESEND_SECONDS } from '@/lib/account/registration/shared/resend-cooldown';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

const formatWait = (seconds: number) => (seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

/**
 * Counts seconds down to 0.
 * @param initial the seconds to start with
 * @returns the seconds left, and a function that starts again
 */
function useCountdown(initial: number): [secondsLeft: number, start: (seconds: number) => void] {
  const [secondsLeft, setSecondsLeft] = useState(initial);
  const [endsAt, setEndsAt] = useState(() => Date.now() + initial * 1000);
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    if (!isRunning) return;
    // By the clock, because browsers slow down the timers of hidden tabs.
    const tick = () => setSecondsLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isRunning, endsAt]);
  function start(seconds: number) {
    setSecondsLeft(seconds);
    setEndsAt(Date.now() + seconds * 1000);
  }
  return [secondsLeft, start];
}

/**
 * Sends the verification email again.
 * @param wait the seconds until it can be sent again, if that's known
 */
export function ResendVerification({ wait = 0 }: { wait?: number }) {
  const id = useId();
  const [sent, setSent] = useState(false);
  const [secondsLeft, startWait] = useCountdown(wait);
  const isWaiting = secondsLeft > 0;
  const { form, busy } = useForm(async () => {
    if (isWaiting) return undefined;
    setSent(false);
    await call('POST /resend_verification_email').catch((error: unknown) => {
      if (error instanceof ApiError && error.retryAfter !== null) startWait(error.retryAfter);
      throw error;
    });
    setSent(true);
    startWait(RESEND_SECONDS);
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col items-start gap-3">
      <Button
        type="submit"
        busy={busy}
        variant="secondary"
        // Still focusable, so that the keyboard doesn't lose its place.
        aria-disabled={isWaiting}
        aria-describedby={isWaiting ? id : undefined}
        className={isWaiting ? 'opacity-55' : ''}
      >
        Resend Verification
      </Button>
      <p role="status" className="text-15 text-ok empty:hidden">
        {sent && 'An email was sent. If it doesn’t arrive within a minute, check your spam folder.'}
      </p>
      {isWaiting && (
        <p id={id} className="text-14 text-ink-3 tabular-nums">
          You can send another email in {formatWait(secondsLeft)}.
        </p>
      )}
    </form>
  );
}
