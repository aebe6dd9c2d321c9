import { Play } from 'lucide';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';
import { useHydrated } from '@/components/ui/use-hydrated';
import { useMediaQuery } from '@/components/ui/use-media-query';
import type { Previews } from '@/lib/video/previews/service';
import { Controls } from './controls';
import type { DataSaver } from './data-saver-switch';
import { MiniPlayer, useMiniPlayer } from './mini-player';
import { usePlayback } from './playback';
import './phone-player.css';
import './player.css';
import type { Elements } from '@/components/ui/elements';
import { toggleFullScreen, togglePlay, usePlayerShortcuts } from './player-commands';
import { useIdle } from './use-idle';
import { useMediaState } from './use-media-state';
import { useRaisedCaptions } from './use-raised-captions';

/** Where the controls are below the picture, sized for fingers. The same as in phone-player.css. */
const COMPACT = '(max-width: 639px)';

const NO_PREVIEWS: Previews = { storyboard: null, waveform: null };

/** Returns whether the player is full screen. */
function useFullScreen(box: RefObject<HTMLElement | null>): boolean {
  const [full, setFull] = useState(false);
  useEffect(() => {
    const look = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === box.current);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, [box]);
  return full;
}

/**
 * Shows a video with its controls: the browser's before hydration, then our own. Once the page is scrolled past it, it
 * shrinks into a small player that stays.
 * @param captions the URL of the captions; null if there are none
 * @param dataSaver the choice of a small version; absent if there's none
 * @param failure what to show in place of a video that can't be loaded
 * @param children notices over the picture
 */
export function PlayerView({
  src,
  poster,
  title,
  captions,
  language,
  previews = NO_PREVIEWS,
  dataSaver,
  failure = null,
  onHelp,
  onCopyLink,
  children,
}: {
  src: string;
  poster: string;
  title: string;
  captions: string | null;
  language: string | null;
  previews?: Previews;
  dataSaver?: DataSaver | undefined;
  failure?: ReactNode;
  /** Shows the list of shortcuts. */
  onHelp: () => void;
  /** Copies a link to the current moment. Absent where there's no site to link to. */
  onCopyLink?: () => void;
  children?: Elements;
}) {
  const { video } = usePlayback();
  const box = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const own = useHydrated();
  const state = useMediaState();
  const compact = useMediaQuery(COMPACT);
  const full = useFullScreen(box);
  const mini = useMiniPlayer(place, box, !full);
  const idleAtPress = useRef(false);
  const idle = useIdle(box, own && !state.paused);
  function openHelp() {
    // The dialog would open behind the full screen video.
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    onHelp();
  }
  usePlayerShortcuts(box, openHelp);
  useRaisedCaptions(video, own && !idle && (full || !compact));

  function press({ nativeEvent }: MouseEvent) {
    if (!own || !video.current) return;
    // Where the controls cover the picture, a finger's first press shows them.
    const isTouch = (nativeEvent as PointerEvent).pointerType === 'touch';
    if (isTouch && idleAtPress.current && (full || !compact)) return;
    togglePlay(video.current);
  }

  const fill = () => box.current && toggleFullScreen(box.current);
  return (
    <div ref={place} data-mini={mini || undefined} className="player-place">
      <div
        ref={box}
        data-custom-controls={own || undefined}
        data-compact={(compact && !full) || undefined}
        data-idle={idle || undefined}
        data-mini={mini || undefined}
        onPointerDownCapture={() => {
          idleAtPress.current = idle;
        }}
        className="player"
      >
        {/* biome-ignore lint/a11y/useMediaCaption: captions exist once the transcript does */}
        <video
          ref={video}
          src={src}
          poster={poster || undefined}
          controls={!own}
          playsInline
          preload="metadata"
          aria-label={title}
          onClick={press}
          onDoubleClick={() => own && fill()}
          className="aspect-video w-full"
        >
          {captions && (
            <track kind="captions" src={captions} srcLang={language ?? 'und'} label="Transcript" />
          )}
        </video>
        <div className="player-stage always-dark">
          {own && !state.started && !state.waiting && !failure && (
            <span className="grid size-16 place-items-center rounded-pill bg-black/60 text-white">
              <Icon of={Play} className="ml-1 size-7" fill="currentColor" aria-hidden="true" />
            </span>
          )}
          {own && state.waiting && !failure && (
            <p role="status" className="player-waiting text-[34px] text-white">
              <Spinner />
              <span className="sr-only">Loading...</span>
            </p>
          )}
          {failure && (
            <div
              role="alert"
              className="pointer-events-auto flex flex-col items-center gap-3 rounded-18 bg-black/80 p-6 text-center text-15 text-white"
            >
              {failure}
            </div>
          )}
        </div>
        {children}
        {own && (
          <Controls
            state={state}
            previews={previews}
            dataSaver={dataSaver}
            captioned={captions !== null}
            compact={compact}
            full={full}
            onFullScreen={fill}
            onHelp={openHelp}
            onCopyLink={onCopyLink}
          />
        )}
        {own && <MiniPlayer state={state} title={title} />}
      </div>
    </div>
  );
}
