'use client';

import { type ComponentProps, useRef, useState } from 'react';
import type { OwnedEntry } from '@/components/journal/entries/owned-entry';
import { Button } from '@/components/ui/button';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import { copyMomentLink } from './copy-moment-link';
import { usePlayback } from './playback';
import { PlayerView } from './player-view';
import { ResumeNotice, useResume } from './resume';
import { ShortcutsDialog } from './shortcuts-dialog';
import { useVideoEvents } from './use-media-state';

/** How many seconds must play after a failure before the next one is retried again. */
const RECOVERED_AFTER = 5;

/**
 * Reloads a failed video at the same position: its signed URL or the session may have expired, or the video may have
 * been replaced. Retries the first failure automatically.
 */
function usePlaybackRetry(entryId: string) {
  const { video } = usePlayback();
  const [failed, setFailed] = useState(false);
  const retriedAt = useRef<number | null>(null);

  async function retry() {
    const player = video.current;
    if (!player) return;
    retriedAt.current = player.currentTime;
    setFailed(false);
    try {
      // Renews the session and returns the current URL.
      const { videoUrl } = await call('GET /entry/:id', { params: { id: entryId } });
      // Read after the request, since the user may have paused or seeked meanwhile.
      const { currentTime, paused } = player;
      player.src = videoUrl;
      if (currentTime > 0) player.currentTime = currentTime;
      if (!paused) player.play().catch(() => {});
    } catch (error) {
      logRejected(error);
      setFailed(true);
    }
  }

  useVideoEvents('error', ({ error }, event) => {
    // It may have failed before hydration.
    if (!event && !error) return;
    if (retriedAt.current === null) void retry();
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
 * @param captions the URL of the captions; null if there are none
 * @param startAt the start time in the page's URL, in seconds
 */
export function Player({
  owner,
  entryId,
  src,
  startAt,
  ...view
}: OwnedEntry & { startAt: number | null } & Pick<
    ComponentProps<typeof PlayerView>,
    'src' | 'poster' | 'title' | 'captions' | 'language' | 'previews'
  >) {
  const { video } = usePlayback();
  // A new signed URL must not interrupt playback: `usePlaybackRetry` fetches it once the first one fails.
  const [first] = useState(src);
  const [help, setHelp] = useState(false);
  const { failed, retry } = usePlaybackRetry(entryId);
  const { resumedAt, dismiss } = useResume(owner, entryId, startAt);
  return (
    <PlayerView
      {...view}
      src={first}
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
