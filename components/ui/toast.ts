import { loadCode } from './load-code';
import type { Failure, showToast as show, ToastAction } from './toast-region';

const importToasts = () => import('./toast-region');

const showToast = (...toast: Parameters<typeof show>) =>
  void loadCode(importToasts).then((region) => region.showToast(...toast));

// The first press or key loads the code, so that it's there when the network fails later. Nobody needs it yet, so a new
// version isn't offered because of it.
if (typeof window !== 'undefined') {
  for (const press of ['pointerdown', 'keydown']) {
    window.addEventListener(press, () => void importToasts().catch(() => undefined), {
      once: true,
      passive: true,
    });
  }
}

/**
 * Shows notices at the top right for 5000 ms, or 30 s if they have a button. Screen readers announce errors immediately, and successes when they're
 * done reading. The code loads when the page is first used.
 */
export const toast = {
  error: (message: string | Failure, control?: Element | null) =>
    showToast('error', message, undefined, control),
  success: (message: string, action?: ToastAction) => showToast('success', message, action),
};
