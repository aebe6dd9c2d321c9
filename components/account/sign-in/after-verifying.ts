import { safeNextPath } from './safe-next-path';

const STUDIO = '/upload';

/** How long a path may be, so that a cookie holds it. */
const MAX_LENGTH = 1000;

/**
 * Returns where a new account goes on: `next` when it's a page of the journal, else the studio, since its journal is
 * still empty.
 */
export function pathAfterVerifying(next: string | string[] | undefined): string {
  const path = safeNextPath(next);
  return path === '/' || path.length > MAX_LENGTH ? STUDIO : path;
}

/** Returns what the button that goes there says. */
export const continueLabel = (path: string): string =>
  path === STUDIO ? 'Record your first entry' : 'Continue';
