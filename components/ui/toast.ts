/** Something to do about what a notice says. */
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

// The first press or key fetches the code: when the network fails later, the toast that says so is there.
if (typeof window !== 'undefined') {
  for (const press of ['pointerdown', 'keydown']) {
    window.addEventListener(press, () => void loadToasts().catch(() => undefined), {
      once: true,
      passive: true,
    });
  }
}

/**
 * Notices at the top right that go after 5000 ms and are read out by screen readers: errors at once, successes
 * when the reader is done. The code behind is loaded when the page is first used.
 */
export const toast = {
  error: (message: string) => showToast('error', message),
  success: (message: string, action?: ToastAction) => showToast('success', message, action),
};
