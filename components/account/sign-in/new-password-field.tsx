'use client';

import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent } from '@/components/ui/load-code';
import { PasswordField } from '@/components/ui/password-field';

// It's only a hint, so the form works without it if its code fails to load.
const PasswordMeter = lazyComponent(
  () => import('./password-meter').catch(() => ({ PasswordMeter: (_: { password: string }) => null })),
  'PasswordMeter',
);

/** A field for a new password that shows how strong it is. The meter's code loads at the first letter. */
export function NewPasswordField({
  label,
  name,
  error,
}: {
  label: string;
  name: string;
  error: string | undefined;
}) {
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // What was typed before the scripts ran. Not by usePrehydrationInput, which also knows the controls that aren't here.
  useLayoutEffect(() => setTyped(field.current?.value ?? ''), []);
  return (
    <div className="flex flex-col gap-2">
      <PasswordField
        ref={field}
        label={label}
        hint="At least 8 characters. A few words in a row are easy to remember."
        name={name}
        autoComplete="new-password"
        minLength={8}
        required
        data-missing="Choose a password."
        error={error}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <div role="status" className="flex min-h-6 items-center gap-3">
        {typed && (
          <Suspense>
            <PasswordMeter password={typed} />
          </Suspense>
        )}
      </div>
    </div>
  );
}
