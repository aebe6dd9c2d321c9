import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type Id, ToastContainer, toast } from 'react-toastify/unstyled';
import type { ToastAction } from './toast';
import 'react-toastify/ReactToastify.css';
import './toast-region.css';

/**
 * Puts the region of the toasts at the end of the body, in a root of its own so that pages do not carry its code
 * and a change of page leaves it alone. Position, 5000 ms and 80 % are the specification's.
 */
export function mountToasts() {
  const host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(
    createElement(ToastContainer, {
      position: 'top-right',
      autoClose: 5000,
      draggable: true,
      draggablePercent: 80,
      limit: 4,
      'aria-label': 'Notices (Alt+T)',
    }),
  );
  /** The toasts that are there, by their sentences; one on its way out is not. */
  const visibleToasts = new Map<string, Id>();
  return (kind: 'error' | 'success', message: string, action?: ToastAction) => {
    const press =
      action &&
      createElement(
        'button',
        { type: 'button', onClick: action.onPress, className: 'toast-action' },
        action.label,
      );
    const content = press ? createElement('span', null, message, ' ', press) : message;
    const options = {
      type: kind,
      role: kind === 'error' ? 'alert' : 'status',
      onClose: () => void visibleToasts.delete(message),
    };
    const same = visibleToasts.get(message);
    // One toast a sentence: a call that fails again and again does not pile up.
    if (same === undefined) visibleToasts.set(message, toast(content, options));
    else toast.update(same, { ...options, render: content });
  };
}
