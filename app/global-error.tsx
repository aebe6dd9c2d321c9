'use client';

import { figtree, literata } from './fonts/fonts';
import './globals.css';

/** Replaces the whole document when the layout itself fails. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={`${figtree.variable} ${literata.variable}`}>
      <body className="font-sans">
        <title>Unexpected Application Error!</title>
        <main className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
          <h1 className="heading heading-page">Unexpected Application Error!</h1>
          <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
            {error.digest ?? error.message}
          </p>
          <p className="text-ink-2">Everything you’ve saved is safe. Try again in a moment.</p>
          <a
            href="/"
            className="inline-flex min-h-11 items-center rounded-pill bg-accent px-[18px] text-15 font-semibold text-on-accent"
          >
            Try again
          </a>
        </main>
      </body>
    </html>
  );
}
