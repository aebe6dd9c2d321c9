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
        <span className="select-arrow">
          <select {...select} {...control} className="control appearance-none pr-10" />
        </span>
      )}
    </Field>
  );
}
