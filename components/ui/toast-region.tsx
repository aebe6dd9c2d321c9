import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type Id, ToastContainer, type ToastContentProps, toast } from 'react-toastify/unstyled';
import { ActionToast } from './action-toast';
import type { ToastAction } from './toast';
import 'react-toastify/ReactToastify.css';
import './toast-region.css';

/** How long a toast stays, in milliseconds: the specification's for notices, and time to reach a button. */
const NOTICE_MS = 5000;
const ACTION_MS = 30_000;

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
  /** The visible toasts by their message, except ones that are closing. */
  const visibleToasts = new Map<string, Id>();
  return (kind: 'error' | 'success', message: string, action?: ToastAction) => {
    const content = action
      ? (props: ToastContentProps) => createElement(ActionToast, { ...props, message, action })
      : message;
    const options = {
      type: kind,
      role: kind === 'error' ? 'alert' : 'status',
      autoClose: action ? ACTION_MS : NOTICE_MS,
      onClose: () => void visibleToasts.delete(message),
    };
    const same = visibleToasts.get(message);
    // One toast per message, so that repeated failures don't pile up.
    if (same === undefined) visibleToasts.set(message, toast(content, options));
    else toast.update(same, { ...options, render: content });
  };
}
