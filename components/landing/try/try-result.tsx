import { Lock } from 'lucide';
import { useEffect, useState } from 'react';
import type { HeardWords } from '@/components/capture/recorder/captions/captions-state';
import type { Recording } from '@/components/capture/recorder/recorder-state';
import { Button, ButtonLink } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { WordsAndVideo } from './words-and-video';

/** Returns an address for a file that this page made, while it's shown. */
function useObjectUrl(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

/** Shows what a visitor recorded and said, and how to keep it. */
export function TryResult({
  recording: { id, file },
  heard,
  problem,
  offersSignup,
  onAgain,
  onDelete,
}: {
  recording: Recording;
  heard: HeardWords | null;
  /** Why there are no words. */
  problem: string | null;
  offersSignup: boolean;
  onAgain: () => void;
  onDelete: () => void;
}) {
  const src = useObjectUrl(file);
  const isPending = heard !== null && !heard.done;
  // Without a saved copy, there'd be nothing left of it after signing up.
  const next = id && encodeURIComponent(`/upload?keep=${id}`);
  return (
    <div className="flex flex-col gap-3">
      {src && (
        <WordsAndVideo src={src} label="Your recording" words={heard?.draft?.words ?? []}>
          <p role="status" className="px-1.5 py-3 text-15 text-ink-2">
            {isPending
              ? 'Writing down your words…'
              : (problem ?? 'We didn’t hear any words. You can try again.')}
          </p>
        </WordsAndVideo>
      )}
      <p className="flex items-start gap-1.5 px-1.5 text-14 text-ink-2">
        <Icon of={Lock} className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
        Only on this device so far.{heard?.draft && ' Select a word to play from there.'}
      </p>
      <div className="flex flex-wrap gap-2.5 px-1.5 pb-1">
        {next && offersSignup && (
          <ButtonLink href={`/signup?next=${next}`} prefetch={false}>
            Keep it
          </ButtonLink>
        )}
        {next && (
          <ButtonLink
            href={`/login?next=${next}`}
            prefetch={false}
            variant={offersSignup ? 'ghost' : 'primary'}
          >
            {offersSignup ? 'I have an account' : 'Log in to keep it'}
          </ButtonLink>
        )}
        <Button variant="secondary" onClick={onAgain}>
          Start over
        </Button>
        <Button variant="ghost" onClick={onDelete}>
          Delete
        </Button>
      </div>
    </div>
  );
}
