import { toast } from './toast';
import type { Failure } from './toast-region';

/**
 * Shows what's wrong in a toast, and at the control that it's about.
 * @param control by default the one that has the focus, since a button keeps it while its call runs
 */
export function showProblem(what: string | Failure, control: Element | null = document.activeElement): void {
  toast.error(what, control);
}

/** Shows why a call failed, as {@link showProblem} does. Made to be passed on: `save().catch(showError)`. */
export function showError(error: unknown, control?: Element | null): void {
  showProblem({ error }, control);
}
