import { useEffect, useState } from 'react';
import { UNAVAILABLE_DIGEST } from '@/lib/foundation/shared/unavailable-digest';
import { isCodeMissing, isFileGone, offerNewVersion } from './load-code';

export type PageError = Error & { digest?: string };

/**
 * Reloads a page whose code a new version has replaced.
 * @returns what an error page says, with a `detail` to tell support, and whether only loading the page again helps
 */
export function usePageError(error: PageError) {
  const needsReload = isCodeMissing(error);
  const [isReplaced, setReplaced] = useState(false);
  useEffect(() => {
    if (!needsReload) return;
    // A reload without a network would leave nothing but the browser's own error page.
    void isFileGone(error).then((gone) => {
      if (!gone) return;
      setReplaced(true);
      offerNewVersion();
    });
  }, [error, needsReload]);
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

/** What an error page says, without a way on. */
export function PageErrorText({ heading, detail, text }: ReturnType<typeof usePageError>) {
  return (
    <>
      <h1 className="heading heading-page">{heading}</h1>
      {detail && (
        <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
          {detail}
        </p>
      )}
      <p className="text-ink-2">{text}</p>
    </>
  );
}
