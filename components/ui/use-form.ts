'use client';

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '@/lib/contract/client';
import { errorMessage } from './error-message';
import { toast } from './toast';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Errors = Record<string, string>;

/** What the browser itself finds wrong, by name; a control says in `data-missing` what is missing. */
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
 * A form that is sent by script: checked by the browser's constraints first, sent once at a time, with the
 * errors of the answer at their fields and its message in a toast. What was typed stays, also after an error.
 * @param send receives the values by name; 'leaving' keeps the form busy, because another page is on its way
 * @returns `form` to spread onto the form element, and the state of it
 */
export function useForm(send: (values: Record<string, string>) => Promise<'leaving' | undefined>) {
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
    const outcome = await send(values).catch((error: unknown) => {
      if (error instanceof ApiError) setErrors(error.fields);
      const marked = [...form.elements].map((element) => element.getAttribute('name') ?? '');
      toast.error(errorMessage(error, marked));
      return undefined;
    });
    if (outcome === 'leaving') return;
    sending.current = false;
    setBusy(false);
  }

  // Outside a dialog, `dialog` submits nothing: whoever is faster than the scripts keeps what they typed, and a
  // password stays out of the address.
  return { form: { ref, onSubmit, noValidate: true, method: 'dialog' as const }, busy, errors };
}
