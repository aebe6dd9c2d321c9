'use client';

import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { useForm } from '@/components/ui/use-form';
import { RESEND_SECONDS } from '@/lib/account/registration/shared/resend-cooldown';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { useCountdown } from './use-countdown';

const formatWait = (seconds: number) => (seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`);

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
