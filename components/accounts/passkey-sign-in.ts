import { browserSupportsWebAuthnAutofill, startAuthentication } from '@simplewebauthn/browser';
import { toast } from '@/components/ui/toast';
import { ApiError, api } from '@/lib/contract/client';
import type { AccountStatus } from '@/lib/contract/fields';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Before the challenge of the last offer ends, in milliseconds. */
const AUTOFILL_REFRESH_INTERVAL = 4 * 60 * 1000;
let autofillTimer: ReturnType<typeof setInterval> | undefined;

async function signIn(next: string, useBrowserAutofill: boolean): Promise<void> {
  const { options } = await api<{ options: Options }>('POST', '/login/passkey/options');
  const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill });
  clearInterval(autofillTimer);
  const { accountStatus } = await api<{ accountStatus: AccountStatus }>('POST', '/login/passkey', {
    body: { credential },
  });
  // A full navigation, so that every part of the page is rendered with the new cookies.
  window.location.assign(accountStatus === 'VERIFIED' ? next : '/verify_email');
}

/** Offers passkeys among what the browser fills in at the email field, where it can; nothing is shown else. */
export async function startPasskeyAutofill(next: string): Promise<void> {
  if (autofillTimer || !(await browserSupportsWebAuthnAutofill())) return;
  const offer = () =>
    signIn(next, true).catch((error: unknown) => {
      // The browser's own errors say that the offer was not taken.
      if (error instanceof ApiError && error.code === 'invalid_credentials') toast.error(error.message);
    });
  autofillTimer = setInterval(offer, AUTOFILL_REFRESH_INTERVAL);
  void offer();
}

/** Asks for a passkey. Resolves when the page is being left, or when it has said why not. */
export async function authenticateWithPasskey(next: string): Promise<'leaving' | undefined> {
  clearInterval(autofillTimer);
  try {
    await signIn(next, false);
    return 'leaving';
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : 'No passkey was used.');
    return undefined;
  }
}
