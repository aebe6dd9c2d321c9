import { FileVideo } from 'lucide';
import { useEffect, useId, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Icon } from '@/components/ui/icon';
import { formatBytes } from '@/lib/billing/plans/shared/format';

/** How many videos are named. The others are counted. */
const MAX_NAMED = 5;

/**
 * Asks whether videos that another app sent belong in the journal. Another website can send some as well, and a browser
 * doesn't say who did.
 * @param mayAdd whether there's space in the form for them now
 */
export function ShareQuestion({
  videos,
  mayAdd,
  onAdd,
  onDecline,
}: {
  videos: readonly { id: string; file: File }[];
  mayAdd: boolean;
  onAdd: () => void;
  onDecline: () => void;
}) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // For screen readers, unless somebody has begun to type.
    if (document.activeElement === document.body) title.current?.focus();
  }, []);
  const many = videos.length > 1;
  const named = videos.slice(0, MAX_NAMED);
  const bytes = videos.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <section aria-labelledby={titleId}>
      <Card className="flex flex-col gap-4">
        <div>
          <h2 ref={title} id={titleId} tabIndex={-1} className="text-17 font-semibold focus:outline-none">
            {many
              ? `Another app sent ${videos.length} videos. Add them to your journal?`
              : 'Another app sent this video. Add it to your journal?'}
          </h2>
          <p className="mt-1 text-14 text-ink-2">
            Nothing has been uploaded. If you didn’t share {many ? 'them' : 'it'}, select “Don’t add.”
          </p>
        </div>
        <ul className="flex flex-col gap-2">
          {named.map(({ id, file }) => (
            <li key={id} className="flex items-center gap-2 text-15">
              <Icon of={FileVideo} className="size-5 shrink-0 text-ink-3" aria-hidden="true" />
              <bdi className="min-w-0 truncate">{file.name}</bdi>
              <span className="shrink-0 text-14 text-ink-2 tabular-nums">{formatBytes(file.size)}</span>
            </li>
          ))}
          {many && (
            <li className="text-14 text-ink-2 tabular-nums">
              {`${videos.length > named.length ? `and ${videos.length - named.length} more, ` : ''}${formatBytes(bytes)} in all`}
            </li>
          )}
        </ul>
        <div className="flex flex-wrap items-center gap-3">
          {mayAdd ? (
            <Button onClick={onAdd}>{many ? 'Add them' : 'Add it'}</Button>
          ) : (
            <p className="text-14 text-ink-2">
              You can add {many ? 'them' : 'it'} when your upload has finished.
            </p>
          )}
          <Button variant="secondary" onClick={onDecline}>
            Don’t add
          </Button>
        </div>
      </Card>
    </section>
  );
}
