import { useEffect, useRef } from 'react';
import { type ToastContentProps, toast } from 'react-toastify/unstyled';

/** A button in a toast, which it closes. */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

interface ActionToastProps extends Pick<ToastContentProps, 'closeToast' | 'toastProps' | 'isPaused'> {
  message: string;
  action: ToastAction;
}

/** A message with a button, which closes the toast. The timer stops while the focus is anywhere in the toast. */
export function ActionToast({ message, action, closeToast, toastProps, isPaused }: ActionToastProps) {
  const content = useRef<HTMLSpanElement>(null);
  const isPressed = useRef(false);
  const id = toastProps.toastId;

  useEffect(() => {
    const whole = content.current?.closest<HTMLElement>('.Toastify__toast');
    if (!whole) return;
    const pause = () => toast.pause({ id });
    const play = () => {
      if (!whole.matches(':hover')) toast.play({ id });
    };
    whole.addEventListener('focusin', pause);
    whole.addEventListener('focusout', play);
    return () => {
      whole.removeEventListener('focusin', pause);
      whole.removeEventListener('focusout', play);
    };
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
