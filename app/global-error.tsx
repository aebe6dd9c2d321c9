'use client';

import { type PageError, PageErrorText, usePageError } from '@/components/ui/page-error';
import './globals.css';

/**
 * Replaces the whole document when the layout itself fails. In the system's typefaces: every page loads this file, and
 * those of the site would be half of it.
 */
export default function GlobalError({ error }: { error: PageError }) {
  const description = usePageError(error);
  return (
    <html lang="en">
      <body className="font-[system-ui,sans-serif]">
        <title>{description.heading}</title>
        <main className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
          <PageErrorText {...description} />
          <button
            type="button"
            onClick={() => window.location.reload()}
            className="inline-flex min-h-11 items-center rounded-pill bg-accent px-[18px] text-15 font-semibold text-on-accent"
          >
            {description.needsReload ? 'Reload' : 'Try again'}
          </button>
        </main>
      </body>
    </html>
  );
}
