'use client';

import { type ComponentProps, useState } from 'react';
import { Field, type FieldText } from './field';

/** A password input with a button to show it. `autoComplete` tells password managers which one it is. */
export function PasswordField(
  props: FieldText & ComponentProps<'input'> & { autoComplete: 'current-password' | 'new-password' },
) {
  const [shown, setShown] = useState(false);
  return (
    <Field {...props}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className="control pr-18"
          />
          <button
            type="button"
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 min-w-16 rounded-12 px-3 text-14 font-semibold text-accent-ink"
          >
            {shown ? 'Hide' : 'Show'}
            <span className="sr-only"> password</span>
          </button>
        </span>
      )}
    </Field>
  );
}
