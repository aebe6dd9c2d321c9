'use client';

import { type ComponentProps, useRef, useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { Button } from '@/components/ui/button';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { copyMomentLink } from './copy-moment-link';
import { usePlayback } from './playback';
import { replaceSource } from './player-commands';
import { PlayerView } from './player-view';
import { ResumeNotice, useResume } from './resume';
import { ShortcutsDialog } from './shortcuts-dialog';
import { useVideoEvents } from './use-media-state';
import { useSmallVideo } from './use-small-video';

/** How many seconds must play after a failure before the next one is retried again. */
const RECOVERED_AFTER = 5;

/**
 * Reloads a failed video at the same position: its signed URL or the session may have expired, or the video may have
 * been replaced. Retries the first failure automatically. If the small version fails again, the video takes its place.
 */
function usePlaybackRetry(
  entryId: string,
  { urlIn, dropSmall }: Pick<ReturnType<typeof useSmallVideo>, 'urlIn' | 'dropSmall'>,
) {
  const { video } = usePlayback();
  const [failed, setFailed] = useState(false);
  const retriedAt = useRef<number | null>(null);

  async function retry() {
    const player = video.current;
    if (!player) return;
    retriedAt.current = player.currentTime;
    setFailed(false);
    try {
      // Renews the session and returns the current URLs. The user may pause or seek meanwhile.
      const entry = await call('GET /entry/:id', { params: { id: entryId } });
      replaceSource(player, urlIn(entry));
    } catch (error) {
      logRejected(error);
      setFailed(true);
    }
  }

  useVideoEvents('error', ({ error }, event) => {
    // It may have failed before hydration.
    if (!event && !error) return;
    if (retriedAt.current === null || dropSmall()) void retry();
    else setFailed(true);
  });
  useVideoEvents('timeupdate', ({ currentTime }) => {
    if (Math.abs(currentTime - (retriedAt.current ?? currentTime)) > RECOVERED_AFTER)
      retriedAt.current = null;
  });

  return { failed, retry };
}

/**
 * Plays the entry's video. Retries when it can't be loaded, and resumes where the person left off.
 * @param small the URL of the video's small version; empty if there's none
 * @param captions the URL of the captions; null if there are none
 * @param startAt the start time in the page's URL, in seconds
 */
export function Player({
  owner,
  entryId,
  src,
  small = '',
  startAt,
  ...view
}: OwnedEntry & { small?: string; startAt: number | null } & Pick<
    ComponentProps<typeof PlayerView>,
    'src' | 'poster' | 'title' | 'captions' | 'language' | 'previews'
  >) {
  const { video } = usePlayback();
  // A new signed URL must not interrupt playback: `usePlaybackRetry` fetches it once the first one fails.
  const [first] = useState(src);
  const [help, setHelp] = useState(false);
  const { dataSaver, ...versions } = useSmallVideo(src, small);
  const { failed, retry } = usePlaybackRetry(entryId, versions);
  const { resumedAt, dismiss } = useResume(owner, entryId, startAt);
  return (
    <PlayerView
      {...view}
      src={first}
      dataSaver={dataSaver}
      onHelp={() => setHelp(true)}
      onCopyLink={() => void copyMomentLink(entryId, video.current?.currentTime ?? 0)}
      failure={
        failed && (
          <>
            <p>We couldn’t load this video.</p>
            <Button onClick={() => void retry()}>Try again</Button>
          </>
        )
      }
    >
      {resumedAt !== null && <ResumeNotice at={resumedAt} onDone={dismiss} />}
      <ShortcutsDialog open={help} onOpenChange={setHelp} />
    </PlayerView>
  );
}
