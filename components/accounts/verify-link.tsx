import { EmailLinkHandler } from './email-link-handler';
import { ResendVerification } from './resend-verification';

/** @param verified the sentence that says so */
export function VerifyLink({ uid, token, verified }: { uid: string; token: string; verified: string }) {
  return (
    <EmailLinkHandler
      path={`/verify_email/${encodeURIComponent(uid)}/${encodeURIComponent(token)}`}
      trying="Trying to verify..."
      done={verified}
      failed="We could not verify your account with this link"
      otherwise={
        <>
          <p className="text-ink-2">
            A link works once and for 72 hours. If you have verified your account already, just log in. If
            not, we can send you a new one.
          </p>
          <ResendVerification />
        </>
      }
    />
  );
}
