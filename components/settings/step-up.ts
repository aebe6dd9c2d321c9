import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError, api } from '@/lib/contract/client';
import type { Proof } from '@/lib/security/contract';

/** The name of the field that says the owner confirms with a passkey. */
export const WITH_PASSKEY = 'withPasskey';

/** Asks the browser for one of the account's passkeys; what the person or the device refuses becomes a sentence. */
async function requestPasskey(): Promise<NonNullable<Proof['passkey']>> {
  const { options } = await api<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    '/step_up/options',
  );
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options }).catch(() => {
    throw new ApiError(0, 'passkey', 'No passkey was used.');
  });
}

/** Returns what the fields of `StepUpFields` say, for the body of an operation that asks for the owner. */
export async function readProof(values: Record<string, string>): Promise<Proof> {
  if (values[WITH_PASSKEY]) return { passkey: await requestPasskey() };
  return { currentPassword: values.currentPassword, code: values.code };
}
