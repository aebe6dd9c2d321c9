import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns whether a control, or one of a form, holds something other than what the server rendered. */
function isTouched(control: Control | HTMLFormElement): boolean {
  if (control instanceof HTMLFormElement) {
    return [...control.querySelectorAll<Control>('input, textarea, select')].some(isTouched);
  }
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
 * @param onInput gets the touched control, or the form of uncontrolled ones, once, before React's first paint
 * @returns the ref for the control or form
 */
export function usePrehydrationInput<C extends Control | HTMLFormElement>(
  onInput: (control: C) => void,
): RefObject<C | null> {
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
