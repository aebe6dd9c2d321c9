import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';

export interface FieldText {
  label: ReactNode;
  /** A sentence below the label. */
  hint?: ReactNode;
  /** A sentence below the control, which is then marked as invalid. */
  error?: string | undefined;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean | undefined;
}

type ControlTag = 'input' | 'select' | 'textarea';

/**
 * A label, a hint, and an error around the control that `children` renders. It gets the other attributes, and those that
 * tie it to its label, hint, and error.
 */
export function Field<Tag extends ControlTag = 'input'>({
  label,
  hint,
  error,
  labelHidden,
  className = '',
  children,
  ...attributes
}: FieldText &
  Omit<ComponentProps<Tag>, 'children'> & { children: (control: ComponentProps<Tag>) => ReactElement }) {
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
        ...attributes,
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      } as ComponentProps<Tag>)}
      {error && (
        <p id={`${id}-error`} className="text-14 text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** A single-line input with its label, hint, and error. */
export function TextField(props: FieldText & ComponentProps<'input'>) {
  return <Field {...props}>{(control) => <input dir="auto" {...control} className="control" />}</Field>;
}

/** A text area that grows from three lines with its text, with its label, hint, and error. */
export function TextAreaField(props: FieldText & ComponentProps<'textarea'>) {
  return (
    <Field<'textarea'> {...props}>
      {(control) => (
        <textarea
          dir="auto"
          {...control}
          rows={3}
          style={{ minHeight: '92px' }}
          className="control max-h-[60vh] resize-y [field-sizing:content]"
        />
      )}
    </Field>
  );
}
