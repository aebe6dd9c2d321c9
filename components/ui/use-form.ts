'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import { showProblem } from './show-error';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Errors = Record<string, string>;

/** Returns what the browser itself rejects, by field name. `data-missing` is a control's sentence for an empty value. */
function constraintErrors(form: HTMLFormElement): Errors {
  const wrong: Errors = {};
  for (const control of form.querySelectorAll<Control>('input, select, textarea')) {
    if (!control.name || control.validity.valid) continue;
    const missing = control.validity.valueMissing ? control.dataset.missing : undefined;
    wrong[control.name] = missing ?? control.validationMessage;
  }
  return wrong;
}

/**
 * Submits a form by script. The browser's constraints are checked first, and only one submission runs at a time. Errors
 * of fields appear at those fields, and the error's message in a toast. What was typed stays, even after an error.
 *
 * `Values` names the fields of the form, whose controls have to exist: `useForm<Body<'POST /login'>>`. Fields that aren't
 * always there are optional.
 * @param send gets the values by field name; returns 'leaving' to keep the form busy while another page loads
 * @returns `form` to spread onto the form element, whether it's `busy`, and the `errors` by field name
 */
export function useForm<Values extends Partial<Record<keyof Values, string>> = Record<string, string>>(
  send: (values: Values) => Promise<'leaving' | undefined>,
) {
  const ref = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});

  useEffect(() => {
    if (Object.keys(errors).length > 0) ref.current?.querySelector<Control>('[aria-invalid="true"]')?.focus();
  }, [errors]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending.current) return;
    const form = event.currentTarget;
    const wrong = constraintErrors(form);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    sending.current = true;
    setBusy(true);
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const outcome = await send(values as Values).catch((error: unknown) => {
      if (error instanceof ApiError) setErrors(error.fields);
      const marked = [...form.elements].map((element) => element.getAttribute('name') ?? '');
      showProblem({ error, marked });
      return undefined;
    });
    if (outcome === 'leaving') return;
    sending.current = false;
    setBusy(false);
  }

  // Outside a dialog, method="dialog" submits nothing. So pressing Enter before the scripts have loaded neither clears
  // the form nor puts a password in the address.
  return { form: { ref, onSubmit, noValidate: true, method: 'dialog' as const }, busy, errors };
}
