'use client';

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
import { formatDuration } from '@/components/entries/format-duration';
import { Icon } from '@/components/ui/icon';
import type { Previews } from '@/lib/previews/service';
import { ControlRow, MoreControls } from './more-controls';
import { PlayerButton } from './player-button';
import { skip, toggleCaptions, toggleMute, togglePlay } from './player-commands';
import { TimeBar } from './time-bar';
import { type MediaState, useCurrentSecond } from './use-media-state';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

const ICON = { className: 'size-5', 'aria-hidden': true } as const;

type Video = RefObject<HTMLVideoElement | null>;

function TimeDisplay({ video, duration, compact }: { video: Video; duration: number; compact: boolean }) {
  const second = useCurrentSecond(video);
  return (
    <p className="px-2 text-14 whitespace-nowrap text-white tabular-nums">
      {formatDuration(second)}
      {!compact && <span className="text-white/75"> / {formatDuration(duration)}</span>}
    </p>
  );
}

function VolumeControl({ video, state }: { video: Video; state: MediaState }) {
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
        className="h-11 w-18 cursor-pointer accent-white"
      />
    </>
  );
}

function SpeedControl({ video, state }: { video: Video; state: MediaState }) {
  return (
    <select
      aria-label="Speed"
      value={state.speed}
      onChange={(event) => {
        if (video.current) video.current.playbackRate = Number(event.target.value);
      }}
      className="player-tool min-h-11 cursor-pointer appearance-none rounded-pill bg-transparent px-3 text-center text-14 font-semibold text-white tabular-nums hover:bg-white/15"
    >
      {SPEEDS.map((speed) => (
        <option key={speed} value={speed} className="bg-surface text-ink">
          {speed}×
        </option>
      ))}
    </select>
  );
}

function CaptionsButton({ video, state }: { video: Video; state: MediaState }) {
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

/**
 * Shows the player's controls.
 * @param compact shows only the most used ones; the rest are in the panel
 */
export function Controls({
  video,
  state,
  previews,
  captioned,
  compact,
  full,
  onFullScreen,
  onHelp,
}: {
  video: Video;
  state: MediaState;
  previews: Previews;
  captioned: boolean;
  compact: boolean;
  full: boolean;
  onFullScreen: () => void;
  onHelp: () => void;
}) {
  const act = (command: (player: HTMLVideoElement) => void) => () => {
    if (video.current) command(video.current);
  };
  const of = { video, state };
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons, and no fields of a form
    <div role="group" aria-label="Player" className="player-controls">
      <TimeBar video={video} duration={state.duration} playing={!state.paused} previews={previews} />
      <div className="flex items-center">
        <PlayerButton
          label={state.paused ? 'Play' : 'Pause'}
          keys="K"
          className="player-first"
          onClick={act(togglePlay)}
        >
          {state.paused ? (
            <Icon of={Play} {...ICON} fill="currentColor" />
          ) : (
            <Icon of={Pause} {...ICON} fill="currentColor" strokeWidth={1} />
          )}
        </PlayerButton>
        <PlayerButton label="Back 10 seconds" keys="J" onClick={act((player) => skip(player, -1))}>
          <Icon of={RotateCcw} {...ICON} />
        </PlayerButton>
        <PlayerButton label="Forward 10 seconds" keys="L" onClick={act((player) => skip(player, 1))}>
          <Icon of={RotateCw} {...ICON} />
        </PlayerButton>
        {!compact && <VolumeControl {...of} />}
        <TimeDisplay video={video} duration={state.duration} compact={compact} />
        <div className="ml-auto flex items-center">
          {captioned && !compact && <CaptionsButton {...of} />}
          {!compact && <SpeedControl {...of} />}
          <MoreControls video={video} onHelp={onHelp}>
            {compact && (
              <>
                <ControlRow name="Volume">
                  <VolumeControl {...of} />
                </ControlRow>
                {captioned && (
                  <ControlRow name="Captions">
                    <CaptionsButton {...of} />
                  </ControlRow>
                )}
                <ControlRow name="Speed">
                  <SpeedControl {...of} />
                </ControlRow>
              </>
            )}
          </MoreControls>
          <PlayerButton
            label={full ? 'Exit full screen' : 'Full screen'}
            keys="F"
            className="player-last"
            onClick={onFullScreen}
          >
            {full ? <Icon of={Minimize} {...ICON} /> : <Icon of={Maximize} {...ICON} />}
          </PlayerButton>
        </div>
      </div>
    </div>
  );
}
