import type { ComponentProps } from 'react';
import { Field, type FieldText } from './field';

/** The browser's own select (`children` are its options), with its label, hint, and error. */
export function SelectField({ children, ...props }: FieldText & ComponentProps<'select'>) {
  return (
    <Field<'select'> {...props}>
      {(control) => (
        <span className="select-arrow">
          <select {...control} className="control appearance-none pr-10">
            {children}
          </select>
        </span>
      )}
    </Field>
  );
}
