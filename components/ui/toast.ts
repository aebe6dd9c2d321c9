/** A button in a toast. */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

type ShowToast = (kind: 'error' | 'success', message: string, action?: ToastAction) => void;

let toastsPromise: Promise<ShowToast> | undefined;

function loadToasts(): Promise<ShowToast> {
  toastsPromise ??= import('./toast-region')
    .then((region) => region.mountToasts())
    .catch((error: unknown) => {
      toastsPromise = undefined;
      throw error;
    });
  return toastsPromise;
}

const showToast: ShowToast = (kind, message, action) =>
  void loadToasts().then((tell) => tell(kind, message, action));

// The first press or key loads the code, so that it's there when the network fails later.
if (typeof window !== 'undefined') {
  for (const press of ['pointerdown', 'keydown']) {
    window.addEventListener(press, () => void loadToasts().catch(() => undefined), {
      once: true,
      passive: true,
    });
  }
}

/**
 * Shows notices at the top right for 5000 ms. Screen readers announce errors immediately, and successes when they're
 * done reading. The code loads when the page is first used.
 */
export const toast = {
  error: (message: string) => showToast('error', message),
  success: (message: string, action?: ToastAction) => showToast('success', message, action),
};
