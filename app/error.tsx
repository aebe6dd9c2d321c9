'use client';

import { Button, ButtonLink } from '@/components/ui/button';

/** Shows what went wrong. In production, Next replaces the message with a digest that's also in the server's log. */
export default function ErrorPage({
  error,
  retry,
}: {
  error: Error & { digest?: string };
  retry: () => void;
}) {
  return (
    <div className="gutter mx-auto flex w-full max-w-[640px] flex-col items-start gap-5 py-16">
      <h1 className="heading heading-page">Unexpected Application Error!</h1>
      <p className="rounded-12 bg-sunken px-4 py-3 font-mono text-14 text-ink-2 [overflow-wrap:anywhere]">
        {error.digest ?? error.message}
      </p>
      <p className="text-ink-2">Everything you’ve saved is safe. Trying again often helps.</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={retry}>Try again</Button>
        <ButtonLink href="/" variant="secondary">
          Go home
        </ButtonLink>
      </div>
    </div>
  );
}
