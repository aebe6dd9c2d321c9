'use client';

import { useState } from 'react';
import { CodeField } from '@/components/accounts/code-field';
import { Button } from '@/components/ui/button';
import { PasswordField } from '@/components/ui/password-field';
import { WITH_PASSKEY } from './step-up';

/** What an account can show that its owner is asking with. */
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
          data-missing="Please enter your current password."
          error={errors.currentPassword}
        />
      ) : (
        <p className={`text-15 ${stale ? 'text-danger' : 'text-ink-2'}`} role={stale ? 'alert' : undefined}>
          {stale || "You don't have a password, so this works within ten minutes of signing in."}
        </p>
      )}
      {factors.code && <CodeField error={errors.code} autoFocus={false} />}
    </>
  );
}

/**
 * Asks for everything the account has before a change that could shut its owner out; read it with `proofOf`. With a
 * passkey, one can be used in place of all that.
 */
export function StepUpFields({ factors, errors }: { factors: Factors; errors: Errors }) {
  const [byPasskey, setByPasskey] = useState(false);
  return (
    <>
      {byPasskey ? (
        <>
          <input type="hidden" name={WITH_PASSKEY} value="yes" />
          <p className={`text-15 ${errors.passkey ? 'text-danger' : 'text-ink-2'}`} role="status">
            {errors.passkey ?? "You'll confirm with your passkey."}
          </p>
        </>
      ) : (
        <PasswordAndCode {...{ factors, errors }} />
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
