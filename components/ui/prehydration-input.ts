import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether a control holds something other than what the server rendered. */
function isTouched(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (control instanceof HTMLInputElement && control.type === 'file') return Boolean(control.files?.length);
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)) {
    return control.checked !== control.defaultChecked;
  }
  return control.value !== control.defaultValue;
}

/**
 * Takes what a person typed, checked or chose before the page's scripts ran. React keeps it on screen, but drops the
 * events of that time, so a field that's controlled by state, or that starts something, would never hear of it.
 * @param onInput gets the touched control once, before the first paint that React is responsible for
 * @returns the ref of the control
 */
export function usePrehydrationInput<C extends Control>(onInput: (control: C) => void): RefObject<C | null> {
  const ref = useRef<C>(null);
  // Only the first time: from then on React hears of every change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    if (ref.current && isTouched(ref.current)) onInput(ref.current);
  }, []);
  return ref;
}

/**
 * The same for a field that may be a textarea with a text: React resets that one as it hydrates it, so what was typed is
 * read before, while rendering.
 * @param id the control's, from `useId`
 * @returns what was typed, or null
 */
export function usePrehydrationText(id: string): string | null {
  const [early] = useState(() => {
    if (typeof document === 'undefined') return null;
    const control = document.getElementById(id);
    const isText = control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement;
    return isText && isTouched(control) ? control.value : null;
  });
  return early;
}

/** The same for a form whose fields are uncontrolled. */
export function usePrehydrationForm(
  form: RefObject<HTMLFormElement | null>,
  onInput: (form: HTMLFormElement) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time, as above
  useLayoutEffect(() => {
    const controls = form.current?.querySelectorAll<Control>('input, textarea, select') ?? [];
    if (form.current && [...controls].some(isTouched)) onInput(form.current);
  }, []);
}
