'use client';

import {
  ChevronLeft,
  ChevronRight,
  Ellipsis,
  type IconNode,
  Keyboard,
  Link2,
  PictureInPicture2,
} from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';
import { formatDuration } from '@/components/journal/entries/format-duration';
import type { Elements } from '@/components/ui/elements';
import { Group } from '@/components/ui/group';
import { Icon } from '@/components/ui/icon';
import { POPOVER, usePopover } from '@/components/ui/popover';
import type { Previews } from '@/lib/video/previews/service';
import {
  CaptionsButton,
  CurrentTime,
  FullScreenButton,
  PlayButton,
  PlayerButton,
  SkipButton,
  SpeedControl,
  VolumeControl,
} from './control-buttons';
import { type DataSaver, DataSaverSwitch } from './data-saver-switch';
import { useMomentNotes } from './moment-notes';
import { NotePins } from './note-pins';
import { usePlayback } from './playback';
import { stepFrame, togglePictureInPicture } from './player-commands';
import { TimeBar } from './time-bar';
import type { MediaState } from './use-media-state';

/** Renders a row of the panel: a name and its controls. */
function ControlRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 pl-3">
      <span aria-hidden="true">{name}</span>
      <div className="flex items-center">{children}</div>
    </div>
  );
}

/** Shows the less used controls in a panel that stays open during use; `children` are those that don't fit the bar. */
function MoreControls({
  dataSaver,
  onHelp,
  onCopyLink,
  children,
}: Pick<ControlsProps, 'dataSaver' | 'onHelp' | 'onCopyLink'> & { children?: Elements }) {
  const { run } = usePlayback();
  const popover = usePopover({
    side: 'above',
    onOpen: (panel) => panel.querySelector<HTMLElement>('button, select, input')?.focus(),
  });
  const [floats, setFloats] = useState(false);
  useEffect(() => setFloats(document.pictureInPictureEnabled === true), []);

  const step = (direction: 1 | -1) => () => run((video) => stepFrame(video, direction));

  const closingItem = (icon: IconNode, label: string, choose: () => void) => (
    <button
      type="button"
      onClick={() => {
        popover.close();
        choose();
      }}
      className="flex min-h-11 w-full items-center justify-between gap-4 rounded-8 pr-3 pl-3 text-left hover:bg-ink/10 focus-visible:-outline-offset-2"
    >
      {label}
      <Icon of={icon} className="size-5" aria-hidden="true" />
    </button>
  );

  return (
    <>
      <PlayerButton {...popover.button} label="More controls" icon={Ellipsis} />
      <Group {...popover.panel} aria-label="More controls" className={`${POPOVER} min-w-60 p-1.5 text-15`}>
        {children}
        <ControlRow name="Frame by frame">
          <PlayerButton label="Previous frame" keys="," icon={ChevronLeft} onClick={step(-1)} />
          <PlayerButton label="Next frame" keys="." icon={ChevronRight} onClick={step(1)} />
        </ControlRow>
        {dataSaver && <DataSaverSwitch {...dataSaver} />}
        {onCopyLink && closingItem(Link2, 'Copy link to this moment', onCopyLink)}
        {floats && closingItem(PictureInPicture2, 'Picture in picture', () => run(togglePictureInPicture))}
        {closingItem(Keyboard, 'Keyboard shortcuts', onHelp)}
      </Group>
    </>
  );
}

interface ControlsProps {
  state: MediaState;
  captioned: boolean;
  /** The choice of a small version; absent if there's none. */
  dataSaver?: DataSaver | undefined;
  full: boolean;
  onFullScreen: () => void;
  onHelp: () => void;
  /** Copies a link to the current moment. Absent where there's no site to link to. */
  onCopyLink?: (() => void) | undefined;
}

/** One row of small controls, over the picture. */
function WideControls({ state, captioned, full, onFullScreen, ...more }: ControlsProps) {
  return (
    <div className="flex items-center">
      <PlayButton state={state} className="player-first" />
      <SkipButton direction={-1} />
      <SkipButton direction={1} />
      <VolumeControl state={state} />
      <p className="px-2 text-14 whitespace-nowrap tabular-nums">
        <CurrentTime />
        <span className="text-ink-2"> / {formatDuration(state.duration)}</span>
      </p>
      <div className="ml-auto flex items-center">
        {captioned && <CaptionsButton state={state} />}
        <SpeedControl state={state} />
        <MoreControls {...more} />
        <FullScreenButton full={full} onClick={onFullScreen} />
      </div>
    </div>
  );
}

/** A row sized for fingers, below the picture. The less used controls are in the picture's corners. */
function CompactControls({ state, captioned, full, onFullScreen, ...more }: ControlsProps) {
  const notes = useMomentNotes().length;
  return (
    <>
      <div className="grid h-7 grid-cols-[1fr_auto_1fr] items-center text-14 text-ink-2 tabular-nums">
        <span>
          <CurrentTime />
        </span>
        {notes > 0 && (
          <a href="#notes" className="inline-flex min-h-6 items-center px-2 hover:underline">
            {notes === 1 ? '1 note' : `${notes} notes`}
          </a>
        )}
        <span className="col-start-3 text-right">{formatDuration(state.duration)}</span>
      </div>
      <div className="player-row">
        <SpeedControl state={state} />
        <SkipButton direction={-1} />
        <PlayButton state={state} />
        <SkipButton direction={1} />
        {captioned && <CaptionsButton state={state} />}
      </div>
      <div data-at="top" className="player-corner">
        <MoreControls {...more}>
          <ControlRow name="Volume">
            <VolumeControl state={state} />
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
  const { state, full } = rest;
  return (
    <Group
      aria-label="Player"
      className={`player-controls ${compact ? 'player-compact' : ''} ${compact && !full ? '' : 'always-dark'}`}
    >
      <NotePins duration={state.duration} />
      <TimeBar duration={state.duration} playing={!state.paused} previews={previews} />
      {compact ? <CompactControls {...rest} /> : <WideControls {...rest} />}
    </Group>
  );
}
