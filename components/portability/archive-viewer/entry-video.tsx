import { useCallback, useEffect, useMemo, useState } from 'react';
import { usePlayback } from '@/components/journal/player/playback';
import { PlayerView } from '@/components/journal/player/player-view';
import { Button } from '@/components/ui/button';
import { runAtOnce } from '@/lib/foundation/shared/steps';
import type { Word } from '@/lib/journal/transcripts/contract';
import { webVtt } from '@/lib/journal/transcripts/shared/captions';
import { fileUrl, type ViewerEntry } from './journal';
import { ShortcutsDialog } from './shortcuts-dialog';

const NO_PREVIEWS = { storyboard: null, waveform: null };

/** Returns the file to play: the next one whenever one can't be played. */
function usePlayableFile(files: readonly string[]) {
  const { video } = usePlayback();
  const [failures, setFailures] = useState(0);
  useEffect(() => {
    const player = video.current;
    const fail = () => setFailures((before) => before + 1);
    player?.addEventListener('error', fail);
    return () => player?.removeEventListener('error', fail);
  }, [video]);
  return {
    file: files[Math.min(failures, files.length - 1)] ?? '',
    failed: failures >= files.length,
    retry() {
      setFailures(0);
      video.current?.load();
    },
  };
}

/** Takes the place of a video that storage had lost before the archive was made. */
function NoVideo() {
  return (
    <p className="grid aspect-video place-items-center rounded-18 border border-line bg-surface p-6 text-center text-ink-2">
      This archive doesn’t include this entry’s video.
    </p>
  );
}

interface EntryVideoProps {
  entry: ViewerEntry;
  words: readonly Word[];
  /** BCP 47. */
  language: string | null;
  /** Where to start playing, in seconds. */
  at: number | null;
}

function PlayableVideo({ entry, words, language, at }: EntryVideoProps) {
  const { playFrom } = usePlayback();
  const { file, failed, retry } = usePlayableFile(entry.videos);
  const [help, setHelp] = useState(false);
  const openHelp = useCallback(() => setHelp(true), []);
  // Browsers load no captions from a disk, so they're in the page.
  const captions = useMemo(
    () =>
      words.length > 0 ? `data:text/vtt;charset=utf-8,${encodeURIComponent(runAtOnce(webVtt(words)))}` : null,
    [words],
  );
  useEffect(() => {
    // Again for the next file, if this one can't be played.
    if (at !== null && file) playFrom(at);
  }, [at, file, playFrom]);
  return (
    <>
      <PlayerView
        src={fileUrl(file)}
        poster={entry.thumbnail}
        title={entry.title}
        captions={captions}
        language={language}
        previews={NO_PREVIEWS}
        onHelp={openHelp}
        failure={
          failed && (
            <>
              <p className="max-h-40 overflow-y-auto [overflow-wrap:anywhere]">
                We couldn’t play this video. If you moved or deleted its file, put it back: {file}
              </p>
              <Button onClick={retry}>Try again</Button>
            </>
          )
        }
      />
      {help && <ShortcutsDialog onClose={() => setHelp(false)} />}
    </>
  );
}

/** Plays an entry's video from the archive, with captions from its words. */
export const EntryVideo = (props: EntryVideoProps) =>
  props.entry.videos.length > 0 ? <PlayableVideo {...props} /> : <NoVideo />;
