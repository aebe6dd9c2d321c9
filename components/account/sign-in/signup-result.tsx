import { FormResult } from '@/components/ui/form-result';
import { RESEND_SECONDS } from '@/lib/account/registration/shared/resend-cooldown';
import { CheckEmail } from './check-email';

/**
 * What follows signing up.
 * @param email where the email went
 * @param next a path of this site to go to once the address is verified
 * @param onCorrect goes back to the form, if the address can be changed
 */
export function SignupResult({
  email,
  next,
  onCorrect,
}: {
  email: string;
  next: string;
  onCorrect: (() => void) | null;
}) {
  const correct = onCorrect && (
    <button
      type="button"
      onClick={onCorrect}
      className="inline-flex min-h-11 items-center font-semibold text-accent-ink underline underline-offset-4"
    >
      Correct it
    </button>
  );
  return (
    <FormResult
      then={
        <CheckEmail email={email} wait={RESEND_SECONDS} correct={correct} next={next} isSignedIn={false} />
      }
    >
      Please check your email to finish verifying your account.
    </FormResult>
  );
}
