import { errorMessage } from './error-message';
import { toast } from './toast';

/** Shows why a call failed in a toast. Made to be passed on: `save().catch(showError)`. */
export function showError(error: unknown): void {
  toast.error(errorMessage(error));
}
