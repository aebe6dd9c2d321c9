import { placeBeside } from './place-beside';

const ID = 'error-bubble';

let hide = () => {};

/** Places the bubble beside its control, with its arrow at the middle of it. */
function place(bubble: HTMLElement, control: Element): void {
  bubble.dataset.side = placeBeside(bubble, control, { edge: 'left' });
  const at = control.getBoundingClientRect();
  const middle = at.left + at.width / 2 - bubble.getBoundingClientRect().left;
  bubble.style.setProperty('--error-bubble-arrow', `${Math.min(Math.max(middle, 18), 280)}px`);
}

/** Returns whether someone could see a bubble at an element: it's on screen, and something that's used. */
function isUsable(control: Element | null): control is HTMLElement {
  if (!(control instanceof HTMLElement) || !control.isConnected) return false;
  if (!control.matches('a, button, input, select, textarea, [tabindex], [role=button]')) return false;
  const { top, bottom, width } = control.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < window.innerHeight;
}

/**
 * Shows a message at the control that it's about, until the next press or key. It's in the top layer, above dialogs, and
 * describes its control to screen readers, which hear it from the toast first.
 */
export function showErrorBubble(message: string, control: Element | null): void {
  hide();
  if (!isUsable(control)) return;
  const bubble = document.createElement('div');
  bubble.id = ID;
  bubble.className = 'error-bubble';
  bubble.popover = 'manual';
  bubble.dataset.message = message;
  document.body.append(bubble);
  bubble.showPopover();
  place(bubble, control);
  const description = control.getAttribute('aria-describedby');
  control.setAttribute('aria-describedby', [description, ID].filter(Boolean).join(' '));

  const stop = new AbortController();
  hide = () => {
    stop.abort();
    bubble.remove();
    if (description) control.setAttribute('aria-describedby', description);
    else control.removeAttribute('aria-describedby');
    hide = () => {};
  };
  const options = { signal: stop.signal, capture: true, passive: true };
  for (const event of ['pointerdown', 'keydown', 'input'])
    window.addEventListener(event, () => hide(), options);
  for (const event of ['scroll', 'resize']) {
    window.addEventListener(event, () => (isUsable(control) ? place(bubble, control) : hide()), options);
  }
  // Its page may go, or the dialog that it's in.
  const watch = new MutationObserver(() => isUsable(control) || hide());
  watch.observe(document.body, { childList: true, subtree: true });
  stop.signal.addEventListener('abort', () => watch.disconnect());
}
