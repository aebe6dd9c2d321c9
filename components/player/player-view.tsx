import { Play } from 'lucide';
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';
import { useMediaQuery } from '@/components/ui/use-media-query';
import type { Previews } from '@/lib/previews/service';
import { Controls } from './controls';
import { usePlayback } from './playback';
import './player.css';
import { toggleFullScreen, togglePlay } from './player-commands';
import { useIdle } from './use-idle';
import { useMediaState } from './use-media-state';
import { usePlayerShortcuts } from './use-player-shortcuts';
import { useRaisedCaptions } from './use-raised-captions';

/** On touch screens the browser's own controls work better, and they're all there is before hydration. */
const HOVER_QUERY = '(hover: hover) and (pointer: fine)';

/** In a player narrower than this many pixels, less used controls move to a panel. The same as in player.css. */
const COMPACT_WIDTH = 520;

/** Returns whether the player is narrow, and whether it's full screen. */
function usePlayerSize(box: RefObject<HTMLElement | null>): { compact: boolean; full: boolean } {
  const [compact, setCompact] = useState(false);
  const [full, setFull] = useState(false);
  // Before the controls are painted for the first time, or what's below would move twice.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setCompact(element.clientWidth < COMPACT_WIDTH);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    const look = () => setFull(document.fullscreenElement === element);
    document.addEventListener('fullscreenchange', look);
    return () => {
      watcher.disconnect();
      document.removeEventListener('fullscreenchange', look);
    };
  }, [box]);
  return { compact, full };
}

/**
 * Shows a video with custom controls, or with the browser's on touch and before hydration.
 * @param captions the URL of the captions; null if there are none
 * @param failure what to show in place of a video that can't be loaded
 * @param children notices over the picture
 */
export function PlayerView({
  src,
  poster,
  title,
  captions,
  language,
  previews,
  failure,
  onHelp,
  children,
}: {
  src: string;
  poster: string;
  title: string;
  captions: string | null;
  language: string | null;
  previews: Previews;
  failure: ReactNode;
  /** Shows the list of shortcuts. */
  onHelp: () => void;
  children?: ReactNode;
}) {
  const { video } = usePlayback();
  const box = useRef<HTMLDivElement>(null);
  const own = useMediaQuery(HOVER_QUERY);
  const state = useMediaState(video);
  const { compact, full } = usePlayerSize(box);
  const idle = useIdle(box, own && !state.paused);
  const openHelp = useCallback(() => {
    // The dialog would open behind the full screen video.
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    onHelp();
  }, [onHelp]);
  usePlayerShortcuts(video, box, openHelp);
  useRaisedCaptions(video, own && !idle && (full || !compact));

  const fill = () => box.current && toggleFullScreen(box.current);
  return (
    <div
      ref={box}
      data-custom-controls={own || undefined}
      data-compact={(compact && !full) || undefined}
      data-idle={idle || undefined}
      className="player always-dark"
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
        onClick={() => own && video.current && togglePlay(video.current)}
        onDoubleClick={() => own && fill()}
        className="aspect-video w-full"
      >
        {captions && <track kind="captions" src={captions} srcLang={language ?? 'und'} label="Transcript" />}
      </video>
      <div className="player-stage">
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
          video={video}
          state={state}
          previews={previews}
          captioned={captions !== null}
          compact={compact}
          full={full}
          onFullScreen={fill}
          onHelp={openHelp}
        />
      )}
    </div>
  );
}
