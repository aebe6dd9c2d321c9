'use client';

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useState } from 'react';
import { CodeField } from '@/components/account/sign-in/code-field';
import { Button } from '@/components/ui/button';
import type { Elements } from '@/components/ui/elements';
import { loadCode } from '@/components/ui/load-code';
import { PasswordField } from '@/components/ui/password-field';
import { useForm } from '@/components/ui/use-form';
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

const WITH_PASSKEY: keyof StepUpValues = 'withPasskey';

/** What the account can prove its owner with. */
export interface Factors {
  password: boolean;
  code: boolean;
  passkey: boolean;
}

type Errors = Record<string, string>;

function PasswordAndCode({ factors, errors }: { factors: Factors; errors: Errors }) {
  const stale = !factors.password && errors.currentPassword;
  return (
    <>
      {factors.password ? (
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          required
          data-missing="Enter your current password."
          error={errors.currentPassword}
        />
      ) : (
        <p className={`text-15 ${stale ? 'text-danger' : 'text-ink-2'}`} role={stale ? 'alert' : undefined}>
          {stale || 'You don’t have a password, so you can only do this within 10 minutes of signing in.'}
        </p>
      )}
      {factors.code && <CodeField error={errors.code} autoFocus={false} />}
    </>
  );
}

/**
 * Asks for the password and the code, or for a passkey instead, before a change that could lock the owner out. Read the
 * values with `readProof`.
 */
export function StepUpFields({ factors, errors }: { factors: Factors; errors: Errors }) {
  const [byPasskey, setByPasskey] = useState(false);
  return (
    <>
      {byPasskey ? (
        <>
          <input type="hidden" name={WITH_PASSKEY} value="yes" />
          <p className={`text-15 ${errors.passkey ? 'text-danger' : 'text-ink-2'}`} role="status">
            {errors.passkey ?? 'You’ll confirm with your passkey.'}
          </p>
        </>
      ) : (
        <PasswordAndCode factors={factors} errors={errors} />
      )}
      {factors.passkey && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-3.5 self-start"
          onClick={() => setByPasskey(!byPasskey)}
        >
          {byPasskey ? 'Use another way instead' : 'Use a passkey instead'}
        </Button>
      )}
    </>
  );
}

/**
 * Asks for proof, and then for a press of the button, before a change that could lock the owner out.
 * @param factors null for a change that needs no proof
 * @param children what's above the proof, given the errors of its fields
 * @param onSubmit returns what `useForm` says
 */
export function StepUpForm<Values extends StepUpValues & Partial<Record<keyof Values, string>>>({
  factors,
  button,
  isDangerous = false,
  children,
  onSubmit,
  onCancel,
}: {
  factors: Factors | null;
  button: string;
  isDangerous?: boolean;
  children?: (errors: Errors) => Elements;
  onSubmit: (proof: StepUpProof, values: Values) => Promise<'leaving' | undefined>;
  onCancel: () => void;
}) {
  const { form, busy, errors } = useForm<Values>(async (values) => onSubmit(await readProof(values), values));
  return (
    <form {...form} className="flex flex-col gap-5">
      {children?.(errors)}
      {factors && <StepUpFields factors={factors} errors={errors} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={isDangerous ? 'danger' : 'primary'}>
          {button}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
