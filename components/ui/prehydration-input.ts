import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns whether a control holds something other than what the server rendered. */
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
 * Picks up what a person typed, checked or chose before the page's scripts ran. React keeps it on screen but drops those
 * events, so a field that's controlled by state, or that starts something, would miss them.
 * @param onInput gets the touched control once, before React's first paint
 * @returns the ref for the control
 */
export function usePrehydrationInput<C extends Control>(onInput: (control: C) => void): RefObject<C | null> {
  const ref = useRef<C>(null);
  const check = useEffectEvent(() => {
    if (ref.current && isTouched(ref.current)) onInput(ref.current);
  });
  useLayoutEffect(() => check(), []);
  return ref;
}

/**
 * Returns what was typed into a field before the page's scripts ran, or null. React resets a textarea that has a text
 * while hydrating it, so this reads it earlier, during rendering.
 * @param id the control's id, from `useId`
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

/** Does what {@link usePrehydrationInput} does for a whole form of uncontrolled fields. */
export function usePrehydrationForm(
  form: RefObject<HTMLFormElement | null>,
  onInput: (form: HTMLFormElement) => void,
): void {
  const check = useEffectEvent(() => {
    const controls = form.current?.querySelectorAll<Control>('input, textarea, select') ?? [];
    if (form.current && [...controls].some(isTouched)) onInput(form.current);
  });
  useLayoutEffect(() => check(), []);
}
