import { UNAVAILABLE_DIGEST } from '@/lib/foundation/shared/unavailable-digest';
import { useMissingCode } from './load-code';

export type PageError = Error & { digest?: string };

/** What an error page says. */
export interface PageErrorDescription {
  heading: string;
  /** What to tell support. */
  detail: string | null;
  text: string;
  /** Whether only loading the page again helps. */
  needsReload: boolean;
}

/** Returns what an error page says, and reloads a page whose code a new version has replaced. */
export function usePageError(error: PageError): PageErrorDescription {
  const { isMissing: needsReload, isReplaced } = useMissingCode(error);
  if (needsReload) {
    return {
      heading: isReplaced ? 'A new version of Daylight is ready' : 'We couldn’t load this page',
      detail: null,
      text: isReplaced
        ? 'Everything you’ve saved is safe. Reload the page to continue.'
        : 'Everything you’ve saved is safe. Check your connection, then reload the page.',
      needsReload,
    };
  }
  const isBusy = error.digest === UNAVAILABLE_DIGEST;
  return {
    heading: isBusy ? 'Daylight is busy right now' : 'Unexpected Application Error!',
    // In production, Next replaces the message with a digest that's also in the server's log.
    detail: isBusy ? null : (error.digest ?? error.message),
    text: isBusy
      ? 'Everything you’ve saved is safe. Try again in a moment.'
      : 'Everything you’ve saved is safe. Trying again often helps.',
    needsReload,
  };
}
