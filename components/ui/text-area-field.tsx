import type { ComponentProps } from 'react';
import { Field, type FieldText } from './field';

/** A text area that grows with its text, with its label, hint, and error. */
export function TextAreaField({
  label,
  hint,
  error,
  labelHidden,
  className,
  rows = 3,
  ...area
}: FieldText & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => (
        <textarea
          {...area}
          {...control}
          rows={rows}
          style={{ minHeight: `${rows * 24 + 20}px` }}
          className="control max-h-[60vh] resize-y [field-sizing:content]"
        />
      )}
    </Field>
  );
}
