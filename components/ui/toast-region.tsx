import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { type Id, ToastContainer, type ToastContentProps, toast } from 'react-toastify/unstyled';
import { showErrorBubble } from './error-bubble';
import { errorMessage } from './error-message';
import 'react-toastify/ReactToastify.css';
import './toast-region.css';

/** A failed call, and the fields that show their own error. Its sentence is found where toasts are shown. */
export interface Failure {
  error: unknown;
  marked?: readonly string[] | undefined;
}

/** A button in a toast, which it closes. */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

/** A message with a button, which closes the toast. The timer stops while the focus is anywhere in the toast. */
function ActionToast({
  message,
  action,
  closeToast,
  toastProps,
  isPaused,
}: ToastContentProps & { message: string; action: ToastAction }) {
  const content = useRef<HTMLSpanElement>(null);
  const isPressed = useRef(false);
  const id = toastProps.toastId;

  useEffect(() => {
    const whole = content.current?.closest<HTMLElement>('.Toastify__toast');
    const stop = new AbortController();
    whole?.addEventListener('focusin', () => toast.pause({ id }), stop);
    whole?.addEventListener('focusout', () => whole.matches(':hover') || toast.play({ id }), stop);
    return () => stop.abort();
  }, [id]);

  useEffect(() => {
    // The library starts the timer when the mouse leaves or the window is back, wherever the focus is.
    const hasFocus = content.current?.closest('.Toastify__toast')?.matches(':focus-within');
    if (hasFocus && !isPaused) toast.pause({ id });
  }, [id, isPaused]);

  function press() {
    // The button is still there while the toast disappears.
    if (isPressed.current) return;
    isPressed.current = true;
    closeToast();
    action.onPress();
  }

  return (
    <span ref={content}>
      {message}{' '}
      <button type="button" onClick={press} className="toast-action">
        {action.label}
      </button>
    </span>
  );
}

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

/** What was pressed last. */
let pressed: Element | null = null;

/**
 * Adds the toast region to the end of the body. It has its own React root, so pages don't include its code and
 * navigating doesn't affect it. The position and 80% are the specification's.
 */
function mountToasts(): void {
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(
    <ToastContainer
      position="top-right"
      autoClose={NOTICE_MS}
      draggable
      draggablePercent={80}
      limit={4}
      aria-label="Notifications (Alt+T)"
    />,
  );
  const remember = ({ target }: Event) => {
    pressed = target instanceof Element ? target.closest('a, button, input, select, textarea') : null;
  };
  window.addEventListener('pointerdown', remember, { capture: true, passive: true });
}

mountToasts();

/** The visible toasts by their message, except ones that are closing. */
const visibleToasts = new Map<string, Id>();

/**
 * Shows a toast.
 * @param control what an error is about, which shows it too. The toast never covers it.
 */
export function showToast(
  kind: 'error' | 'success',
  what: string | Failure,
  action?: ToastAction,
  control?: Element | null,
): void {
  const message = typeof what === 'string' ? what : errorMessage(what.error, what.marked);
  // Safari gives buttons no focus when they're pressed.
  const about = control === document.body ? pressed : control;
  // A phone's toast is as wide as the page, whose heading says what an error is about if no control does. Other toasts
  // stay at the top, since the buttons to go on with are at the bottom.
  const isPageError = !about && kind === 'error' && window.innerWidth <= PHONE;
  const shown = isPageError ? document.querySelector('main h1') : about;
  if (kind === 'error') showErrorBubble(message, about ?? null);
  const content = action
    ? (props: ToastContentProps) => <ActionToast {...props} message={message} action={action} />
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
}
