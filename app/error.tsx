'use client';

import { Button, ButtonLink } from '@/components/ui/button';
import { type PageError, usePageError } from '@/components/ui/page-error';

/** Shows what went wrong. */
export default function ErrorPage({ error, retry }: { error: PageError; retry: () => void }) {
  const { heading, detail, text, needsReload } = usePageError(error);
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
      <h1 className="heading heading-page">{heading}</h1>
      {detail && (
        <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
          {detail}
        </p>
      )}
      <p className="text-ink-2">{text}</p>
      <div className="flex flex-wrap gap-3">
        {needsReload ? (
          <Button onClick={() => window.location.reload()}>Reload</Button>
        ) : (
          <Button onClick={retry}>Try again</Button>
        )}
        <ButtonLink href="/" variant="secondary">
          Go home
        </ButtonLink>
      </div>
    </div>
  );
}
