import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { loadCode } from '@/components/ui/load-code';
import type { StepUpProof } from '@/lib/account/security/contract';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';

/** The values of `StepUpFields`. Which ones there are depends on the account. */
export interface StepUpValues {
  currentPassword?: string;
  code?: string;
  /** Set to confirm with a passkey. */
  withPasskey?: string;
}

/** Asks the browser for one of the account's passkeys. Throws an ApiError if the person or the device declines. */
async function requestPasskey(): Promise<NonNullable<StepUpProof['passkey']>> {
  const { options } = await call('POST /step_up/options');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication } = await loadCode(() => import('@simplewebauthn/browser'));
  return startAuthentication({ optionsJSON }).catch(() => {
    throw new ApiError(0, 'passkey', 'We couldn’t confirm your passkey. Try again.');
  });
}

/** Returns the proof that the owner is asking, for the body of an operation that requires it. */
export async function readProof({ currentPassword, code, withPasskey }: StepUpValues): Promise<StepUpProof> {
  return withPasskey ? { passkey: await requestPasskey() } : { currentPassword, code };
}
