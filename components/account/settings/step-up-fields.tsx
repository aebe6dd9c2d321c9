'use client';

import { useState } from 'react';
import { CodeField } from '@/components/account/sign-in/code-field';
import { Button } from '@/components/ui/button';
import { PasswordField } from '@/components/ui/password-field';
import type { StepUpValues } from './step-up';

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
