'use client';

import type { ReactNode, RefObject } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import { Group } from '@/components/ui/group';
import type { Previews } from '@/lib/video/previews/service';
import {
  CaptionsButton,
  CurrentTime,
  FullScreenButton,
  PlayButton,
  SkipButton,
  SpeedControl,
  VolumeControl,
} from './control-buttons';
import { useMomentNotes } from './moment-notes';
import { ControlRow, MoreControls } from './more-controls';
import { NotePins } from './note-pins';
import { TimeBar } from './time-bar';
import type { MediaState } from './use-media-state';

interface ControlsProps {
  video: RefObject<HTMLVideoElement | null>;
  state: MediaState;
  captioned: boolean;
  full: boolean;
  onFullScreen: () => void;
  onHelp: () => void;
  /** Copies a link to the current moment. Absent where there's no site to link to. */
  onCopyLink?: (() => void) | undefined;
}

/** One row of small controls, over the picture. */
function WideControls({ video, state, captioned, full, onFullScreen, onHelp, onCopyLink }: ControlsProps) {
  return (
    <div className="flex items-center">
      <PlayButton video={video} state={state} className="player-first" />
      <SkipButton video={video} direction={-1} />
      <SkipButton video={video} direction={1} />
      <VolumeControl video={video} state={state} />
      <p className="px-2 text-14 whitespace-nowrap tabular-nums">
        <CurrentTime video={video} />
        <span className="text-ink-2"> / {formatDuration(state.duration)}</span>
      </p>
      <div className="ml-auto flex items-center">
        {captioned && <CaptionsButton video={video} state={state} />}
        <SpeedControl video={video} state={state} />
        <MoreControls video={video} onHelp={onHelp} onCopyLink={onCopyLink} />
        <FullScreenButton full={full} onClick={onFullScreen} />
      </div>
    </div>
  );
}

/** The link to the notes below, between the times. */
function NoteCount(): ReactNode {
  const { length } = useMomentNotes();
  if (length === 0) return null;
  return (
    <a href="#notes" className="inline-flex min-h-6 items-center px-2 hover:underline">
      {length === 1 ? '1 note' : `${length} notes`}
    </a>
  );
}

/** A row sized for fingers, below the picture. The less used controls are in the picture's corners. */
function CompactControls({ video, state, captioned, full, onFullScreen, onHelp, onCopyLink }: ControlsProps) {
  return (
    <>
      <div className="grid h-7 grid-cols-[1fr_auto_1fr] items-center text-14 text-ink-2 tabular-nums">
        <span>
          <CurrentTime video={video} />
        </span>
        <NoteCount />
        <span className="col-start-3 text-right">{formatDuration(state.duration)}</span>
      </div>
      <div className="player-row">
        <SpeedControl video={video} state={state} />
        <SkipButton video={video} direction={-1} />
        <PlayButton video={video} state={state} />
        <SkipButton video={video} direction={1} />
        {captioned && <CaptionsButton video={video} state={state} />}
      </div>
      <div data-at="top" className="player-corner">
        <MoreControls video={video} onHelp={onHelp} onCopyLink={onCopyLink}>
          <ControlRow name="Volume">
            <VolumeControl video={video} state={state} />
          </ControlRow>
        </MoreControls>
      </div>
      {/* In a box as high as the picture, at its lower end. */}
      <div className="player-picture-box">
        <div data-at="bottom" className="player-corner">
          <FullScreenButton full={full} onClick={onFullScreen} />
        </div>
      </div>
    </>
  );
}

/**
 * Shows the player's controls.
 * @param compact sizes them for a phone: below the picture, with less used ones in a panel
 */
export function Controls({
  previews,
  compact,
  ...rest
}: ControlsProps & { previews: Previews; compact: boolean }) {
  const { video, state, full } = rest;
  return (
    <Group
      aria-label="Player"
      className={`player-controls ${compact ? 'player-compact' : ''} ${compact && !full ? '' : 'always-dark'}`}
    >
      <NotePins video={video} duration={state.duration} />
      <TimeBar video={video} duration={state.duration} playing={!state.paused} previews={previews} />
      {compact ? <CompactControls {...rest} /> : <WideControls {...rest} />}
    </Group>
  );
}
