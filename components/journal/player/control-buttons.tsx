import {
  Captions,
  Maximize,
  Minimize,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide';
import type { RefObject } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Icon } from '@/components/ui/icon';
import { PlayerButton } from './player-button';
import { skip, toggleCaptions, toggleMute, togglePlay } from './player-commands';
import { type MediaState, useCurrentSecond } from './use-media-state';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

const ICON = { className: 'size-5', 'aria-hidden': true } as const;

interface ControlProps {
  video: RefObject<HTMLVideoElement | null>;
  state: MediaState;
}

/** Shows the current time, which changes once a second. */
export function CurrentTime({ video }: Pick<ControlProps, 'video'>) {
  return formatDuration(useCurrentSecond(video));
}

/** Plays or pauses. It's the control that gets the focus when the player changes its size. */
export function PlayButton({ video, state, className = '' }: ControlProps & { className?: string }) {
  return (
    <PlayerButton
      label={state.paused ? 'Play' : 'Pause'}
      keys="K"
      className={`player-toggle ${className}`}
      onClick={() => video.current && togglePlay(video.current)}
    >
      {state.paused ? (
        <Icon of={Play} {...ICON} fill="currentColor" />
      ) : (
        <Icon of={Pause} {...ICON} fill="currentColor" strokeWidth={1} />
      )}
    </PlayerButton>
  );
}

/** Goes 10 s back or forward. */
export function SkipButton({ video, direction }: Pick<ControlProps, 'video'> & { direction: 1 | -1 }) {
  return (
    <PlayerButton
      label={direction < 0 ? 'Back 10 seconds' : 'Forward 10 seconds'}
      keys={direction < 0 ? 'J' : 'L'}
      onClick={() => video.current && skip(video.current, direction)}
    >
      <Icon of={direction < 0 ? RotateCcw : RotateCw} className="size-6" aria-hidden="true" />
      <span aria-hidden="true" className="absolute pt-0.5 text-[9px] leading-none font-bold">
        10
      </span>
    </PlayerButton>
  );
}

/** Mutes, and changes the volume. */
export function VolumeControl({ video, state }: ControlProps) {
  const volumeIcon = state.muted ? VolumeX : state.volume < 0.5 ? Volume1 : Volume2;
  return (
    <>
      <PlayerButton
        label={state.muted ? 'Unmute' : 'Mute'}
        keys="M"
        onClick={() => video.current && toggleMute(video.current)}
      >
        <Icon of={volumeIcon} {...ICON} />
      </PlayerButton>
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={state.muted ? 0 : state.volume}
        aria-valuetext={`${Math.round((state.muted ? 0 : state.volume) * 100)} percent`}
        onChange={(event) => {
          if (!video.current) return;
          video.current.volume = Number(event.target.value);
          video.current.muted = false;
        }}
        className="h-11 w-18 cursor-pointer accent-ink"
      />
    </>
  );
}

/** Changes the speed. */
export function SpeedControl({ video, state }: ControlProps) {
  return (
    <select
      aria-label="Speed"
      value={state.speed}
      onChange={(event) => {
        if (video.current) video.current.playbackRate = Number(event.target.value);
      }}
      className="player-tool min-h-11 cursor-pointer appearance-none rounded-pill bg-transparent px-3 text-center text-14 font-semibold text-ink tabular-nums hover:bg-ink/10"
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed} className="bg-surface text-ink">
          {speed}×
        </option>
      ))}
    </select>
  );
}

/** Shows or hides the captions. */
export function CaptionsButton({ video, state }: ControlProps) {
  return (
    <PlayerButton
      label="Captions"
      keys="C"
      aria-pressed={state.captions}
      onClick={() => video.current && toggleCaptions(video.current)}
    >
      <Icon of={Captions} {...ICON} />
    </PlayerButton>
  );
}

/** Fills the screen with the player, or leaves it. */
export function FullScreenButton({ full, onClick }: { full: boolean; onClick: () => void }) {
  return (
    <PlayerButton
      label={full ? 'Exit full screen' : 'Full screen'}
      keys="F"
      className="player-last"
      onClick={onClick}
    >
      <Icon of={full ? Minimize : Maximize} {...ICON} />
    </PlayerButton>
  );
}
