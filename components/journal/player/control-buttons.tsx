import {
  Captions,
  type IconNode,
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
import type { ComponentProps } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Icon } from '@/components/ui/icon';
import { useKeyLabels } from '@/components/ui/use-key-labels';
import { usePlayback } from './playback';
import { skip, toggleCaptions, toggleMute, togglePlay } from './player-commands';
import { type MediaState, useCurrentSecond } from './use-media-state';

/** Renders an icon button of the player, with its name as a tooltip on hover and focus. */
export function PlayerButton({
  label,
  keys,
  icon,
  className = '',
  children,
  ...rest
}: {
  label: string;
  /** The keyboard shortcut, a single key. */
  keys?: string;
  /** Or `children`. */
  icon?: IconNode;
} & ComponentProps<'button'>) {
  const labelKeys = useKeyLabels();
  return (
    <button
      type="button"
      aria-label={label}
      aria-keyshortcuts={keys}
      data-tooltip={keys ? `${label} (${labelKeys(keys)})` : label}
      {...rest}
      className={`player-tool relative grid size-11 shrink-0 place-items-center rounded-pill text-ink hover:bg-ink/10 aria-pressed:bg-ink/15 aria-pressed:text-accent-ink ${className}`}
    >
      {icon ? <Icon of={icon} {...ICON} /> : children}
    </button>
  );
}

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

const ICON = { className: 'size-5', 'aria-hidden': true } as const;

type ControlProps = { state: MediaState };

/** Shows the current time, which changes once a second. */
export function CurrentTime() {
  // An element, whose text also changes in a page that the browser has translated.
  return <span>{formatDuration(useCurrentSecond())}</span>;
}

/** Plays or pauses. It's the control that gets the focus when the player changes its size. */
export function PlayButton({ state, className = '' }: ControlProps & { className?: string }) {
  const { run } = usePlayback();
  return (
    <PlayerButton
      label={state.paused ? 'Play' : 'Pause'}
      keys="K"
      className={`player-toggle ${className}`}
      onClick={() => run(togglePlay)}
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
export function SkipButton({ direction }: { direction: 1 | -1 }) {
  const { run } = usePlayback();
  return (
    <PlayerButton
      label={direction < 0 ? 'Back 10 seconds' : 'Forward 10 seconds'}
      keys={direction < 0 ? 'J' : 'L'}
      onClick={() => run((video) => skip(video, direction))}
    >
      <Icon of={direction < 0 ? RotateCcw : RotateCw} className="size-6" aria-hidden="true" />
      <span aria-hidden="true" className="absolute pt-0.5 text-[9px] leading-none font-bold">
        10
      </span>
    </PlayerButton>
  );
}

/** Mutes, and changes the volume. */
export function VolumeControl({ state }: ControlProps) {
  const { run } = usePlayback();
  const volumeIcon = state.muted ? VolumeX : state.volume < 0.5 ? Volume1 : Volume2;
  return (
    <>
      <PlayerButton
        label={state.muted ? 'Unmute' : 'Mute'}
        keys="M"
        icon={volumeIcon}
        onClick={() => run(toggleMute)}
      />
      <input
        type="range"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={state.muted ? 0 : state.volume}
        aria-valuetext={`${Math.round((state.muted ? 0 : state.volume) * 100)} percent`}
        onChange={(event) =>
          run((video) => {
            video.volume = Number(event.target.value);
            video.muted = false;
          })
        }
        className="h-11 w-18 cursor-pointer accent-ink"
      />
    </>
  );
}

/** Changes the speed. */
export function SpeedControl({ state }: ControlProps) {
  const { run } = usePlayback();
  return (
    <select
      aria-label="Speed"
      value={state.speed}
      onChange={(event) =>
        run((video) => {
          video.playbackRate = Number(event.target.value);
        })
      }
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
export function CaptionsButton({ state }: ControlProps) {
  const { run } = usePlayback();
  return (
    <PlayerButton
      label="Captions"
      keys="C"
      aria-pressed={state.captions}
      icon={Captions}
      onClick={() => run(toggleCaptions)}
    />
  );
}

/** Fills the screen with the player, or leaves it. */
export function FullScreenButton({ full, onClick }: { full: boolean; onClick: () => void }) {
  return (
    <PlayerButton
      label={full ? 'Exit full screen' : 'Full screen'}
      keys="F"
      className="player-last"
      icon={full ? Minimize : Maximize}
      onClick={onClick}
    />
  );
}
