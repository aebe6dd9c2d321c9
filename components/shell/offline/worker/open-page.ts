import { withTimeout } from '@/lib/foundation/shared/with-timeout';
import { shellPage } from './shell-cache';

/** How long a page may take to begin before the shell is shown instead, in milliseconds. */
const PAGE_TIMEOUT = 8000;

/** What a proxy answers while it can't reach Daylight. */
const UNREACHABLE = new Set([502, 504]);

/**
 * Returns whether the browser may request a page while this worker starts. If that request fails, Firefox (153) shows its
 * own error page, whatever the worker answers. Nothing but its name tells.
 */
export const preloadsPages = (userAgent: string): boolean => !userAgent.includes('Firefox/');

/**
 * Answers a navigation: with the page if it can be loaded, and otherwise with the shell, which looks at the address to see
 * what was asked for.
 * @param preloaded the answer that the browser requested while this worker started, if it did
 * @throws TypeError if there's neither
 */
export async function openPage(
  request: Request,
  preloaded: Promise<Response | undefined>,
): Promise<Response> {
  const loading = preloaded.then((answer) => answer ?? fetch(request));
  const shell = await shellPage();
  if (!shell) return loading;
  try {
    const page = await withTimeout(loading, PAGE_TIMEOUT, () => shell);
    return UNREACHABLE.has(page.status) ? shell : page;
  } catch {
    return shell;
  }
}
