'use client';

import { useCallback, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Previews } from '@/lib/video/previews/service';
import { copyMomentLink } from './copy-moment-link';
import { usePlayback } from './playback';
import { PlayerView } from './player-view';
import { ResumeNotice } from './resume-notice';
import { ShortcutsDialog } from './shortcuts-dialog';
import { usePlaybackRetry } from './use-playback-retry';
import { useResume } from './use-resume';

/**
 * Plays the entry's video. Retries when it can't be loaded, and resumes where the person left off.
 * @param captions the URL of the captions; null if there are none
 * @param startAt the start time in the page's URL, in seconds
 */
export function Player({
  owner,
  entryId,
  src,
  startAt,
  ...view
}: {
  /** The account. */
  owner: string;
  entryId: string;
  src: string;
  poster: string;
  title: string;
  captions: string | null;
  language: string | null;
  startAt: number | null;
  previews: Previews;
}) {
  const { video } = usePlayback();
  // A new signed URL must not interrupt playback: `usePlaybackRetry` fetches it once the first one fails.
  const [first] = useState(src);
  const [help, setHelp] = useState(false);
  const openHelp = useCallback(() => setHelp(true), []);
  const copyLink = useCallback(
    () => void copyMomentLink(entryId, video.current?.currentTime ?? 0),
    [entryId, video],
  );
  const { failed, retry } = usePlaybackRetry(video, entryId);
  const { resumedAt, dismiss } = useResume(video, owner, entryId, startAt);
  return (
    <PlayerView
      {...view}
      src={first}
      onHelp={openHelp}
      onCopyLink={copyLink}
      failure={
        failed && (
          <>
            <p>We couldn’t load this video.</p>
            <Button onClick={retry}>Try again</Button>
          </>
        )
      }
    >
      {resumedAt !== null && <ResumeNotice video={video} at={resumedAt} onDone={dismiss} />}
      <ShortcutsDialog open={help} onOpenChange={setHelp} />
    </PlayerView>
  );
}
