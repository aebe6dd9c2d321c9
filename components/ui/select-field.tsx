import type { ComponentProps } from 'react';
import { Field, type FieldText } from './field';

/** The browser's own select (`children` are its options), with its label, hint, and error. */
export function SelectField({
  label,
  hint,
  error,
  labelHidden,
  className,
  ...select
}: FieldText & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <span className="relative block">
          <select {...select} {...control} className="control appearance-none pr-10" />
          <svg
            className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-ink-2"
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
            aria-hidden="true"
          >
            <path d="m4 6 4 4 4-4" />
          </svg>
        </span>
      )}
    </Field>
  );
}
