import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type Id, ToastContainer, type ToastContentProps, toast } from 'react-toastify/unstyled';
import { ActionToast, type ToastAction } from './action-toast';
import { showErrorBubble } from './error-bubble';
import { errorMessage } from './error-message';
import 'react-toastify/ReactToastify.css';
import './toast-region.css';

/** A failed call, and the fields that show their own error. Its sentence is found where toasts are shown. */
export interface Failure {
  error: unknown;
  marked?: readonly string[] | undefined;
}

/** @param control what an error is about, which shows it too. The toast never covers it. */
export type ShowToast = (
  kind: 'error' | 'success',
  message: string | Failure,
  action?: ToastAction,
  control?: Element | null,
) => void;

/** How long a toast stays, in milliseconds: the specification's for notices, and time to reach a button. */
const NOTICE_MS = 5000;
const ACTION_MS = 30_000;

/** The size of the corner that toasts appear in, with a few lines of text each, in pixels. */
const CORNER = { width: 392, top: 64, height: 150 };
/** Up to this width, toasts are as wide as the window. */
const PHONE = 480;

/** Returns whether a toast at the top right would cover a control. */
function isCovered(control: Element | null | undefined): boolean {
  if (!control || control === document.body) return false;
  const { left, right, top, bottom, width } = control.getBoundingClientRect();
  const page = document.documentElement.clientWidth;
  const corner = page <= PHONE ? 0 : page - CORNER.width;
  return (
    width > 0 && left < page && right > corner && top < CORNER.top + CORNER.height && bottom > CORNER.top
  );
}

/**
 * Adds the toast region to the end of the body. It has its own React root, so pages don't include its code and
 * navigating doesn't affect it. The position and 80% are the specification's.
 */
export function mountToasts() {
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(
    createElement(ToastContainer, {
      position: 'top-right',
      autoClose: NOTICE_MS,
      draggable: true,
      draggablePercent: 80,
      limit: 4,
      'aria-label': 'Notifications (Alt+T)',
    }),
  );
  let pressed: Element | null = null;
  const remember = ({ target }: Event) => {
    pressed = target instanceof Element ? target.closest('a, button, input, select, textarea') : null;
  };
  window.addEventListener('pointerdown', remember, { capture: true, passive: true });
  /** The visible toasts by their message, except ones that are closing. */
  const visibleToasts = new Map<string, Id>();
  const show: ShowToast = (kind, what, action, control) => {
    const message = typeof what === 'string' ? what : errorMessage(what.error, what.marked);
    // Safari gives buttons no focus when they're pressed.
    const about = control === document.body ? pressed : control;
    // A phone's toast is as wide as the page, whose heading says what an error is about if no control does. Other toasts
    // stay at the top, since the buttons to go on with are at the bottom.
    const isPageError = !about && kind === 'error' && window.innerWidth <= PHONE;
    const shown = isPageError ? document.querySelector('main h1') : about;
    if (kind === 'error') showErrorBubble(message, about ?? null);
    const content = action
      ? (props: ToastContentProps) => createElement(ActionToast, { ...props, message, action })
      : message;
    const options = {
      type: kind,
      role: kind === 'error' ? 'alert' : 'status',
      autoClose: action ? ACTION_MS : NOTICE_MS,
      position: isCovered(shown) ? ('bottom-right' as const) : ('top-right' as const),
      onClose: () => void visibleToasts.delete(message),
    };
    const same = visibleToasts.get(message);
    // One toast per message, so that repeated failures don't pile up.
    if (same === undefined) visibleToasts.set(message, toast(content, options));
    else toast.update(same, { ...options, render: content });
  };
  return show;
}
