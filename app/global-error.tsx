'use client';

import { type PageError, usePageError } from '@/components/ui/page-error';
import { figtree, literata } from './fonts/fonts';
import './globals.css';

/** Replaces the whole document when the layout itself fails. */
export default function GlobalError({ error }: { error: PageError }) {
  const { heading, detail, text, needsReload } = usePageError(error);
  return (
    <html lang="en" className={`${figtree.variable} ${literata.variable}`}>
      <body className="font-sans">
        <title>{heading}</title>
        <main className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
          <h1 className="heading heading-page">{heading}</h1>
          {detail && (
            <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
              {detail}
            </p>
          )}
          <p className="text-ink-2">{text}</p>
          <button
            type="button"
            onClick={() => window.location.reload()}
            className="inline-flex min-h-11 items-center rounded-pill bg-accent px-[18px] text-15 font-semibold text-on-accent"
          >
            {needsReload ? 'Reload' : 'Try again'}
          </button>
        </main>
      </body>
    </html>
  );
}
