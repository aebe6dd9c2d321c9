'use client';

import { Button, ButtonLink } from '@/components/ui/button';
import { type PageError, PageErrorText, usePageError } from '@/components/ui/page-error';

/** Shows what went wrong. */
export default function ErrorPage({ error, retry }: { error: PageError; retry: () => void }) {
  const description = usePageError(error);
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
      <PageErrorText {...description} />
      <div className="flex flex-wrap gap-3">
        {description.needsReload ? (
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
