import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { toast } from '@/components/ui/toast';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** In milliseconds, so that a new challenge replaces the last one before it expires. */
const AUTOFILL_REFRESH_INTERVAL = 4 * 60 * 1000;
let autofillTimer: ReturnType<typeof setInterval> | undefined;

async function signIn(next: string, useBrowserAutofill: boolean): Promise<void> {
  const { options } = await call('POST /login/passkey/options');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill });
  clearInterval(autofillTimer);
  const { accountStatus } = await call('POST /login/passkey', { body: { credential } });
  // A full page load, so that everything is rendered with the new cookies.
  window.location.assign(accountStatus === 'VERIFIED' ? next : '/verify_email');
}

/** Offers passkeys in the email field's autofill, in browsers that support it. */
export async function startPasskeyAutofill(next: string): Promise<void> {
  if (autofillTimer || !(await browserSupportsWebAuthnAutofill())) return;
  const offer = () =>
    signIn(next, true).catch((error: unknown) => {
      // The browser's own errors mean that nobody picked a passkey.
      if (error instanceof ApiError && error.code === 'invalid_credentials') toast.error(error.message);
    });
  autofillTimer = setInterval(offer, AUTOFILL_REFRESH_INTERVAL);
  void offer();
}

/** Asks for a passkey and signs in with it. Returns undefined after showing why it failed. */
export async function authenticateWithPasskey(next: string): Promise<'leaving' | undefined> {
  clearInterval(autofillTimer);
  try {
    await signIn(next, false);
    return 'leaving';
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : 'We couldn’t confirm your passkey. Try again.');
    return undefined;
  }
}
