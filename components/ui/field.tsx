import { type ComponentProps, type ReactNode, useId } from 'react';

/** The attributes that tie a control to its label, hint, and error. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldText {
  label: ReactNode;
  /** A sentence below the label. */
  hint?: ReactNode;
  /** A sentence below the control, which is then marked as invalid. */
  error?: string | undefined;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean | undefined;
}

/** A label, a hint, and an error around the control that `children` renders. */
export function Field({
  label,
  hint,
  error,
  labelHidden,
  className = '',
  children,
}: FieldText & { className?: string; children: (control: FieldControl) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-14 font-semibold text-ink'}>
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-14 text-ink-3">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="text-14 text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** A single-line input with its label, hint, and error. */
export function TextField({
  label,
  hint,
  error,
  labelHidden,
  className,
  ...input
}: FieldText & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => <input {...input} {...control} className="control" />}
    </Field>
  );
}
