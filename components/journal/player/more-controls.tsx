'use client';

import { ChevronLeft, ChevronRight, Ellipsis, Keyboard, Link2, PictureInPicture2 } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Group } from '@/components/ui/group';
import { Icon } from '@/components/ui/icon';
import { POPOVER, usePopover } from '@/components/ui/popover';
import { PlayerButton } from './player-button';
import { stepFrame, togglePictureInPicture } from './player-commands';

const ICON = { className: 'size-5', 'aria-hidden': true } as const;

/** Renders a row of the panel: a name and its controls. */
export function ControlRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 pl-3">
      <span aria-hidden="true">{name}</span>
      <div className="flex items-center">{children}</div>
    </div>
  );
}

function ControlItem({
  icon,
  children,
  onClick,
}: {
  icon: ReactNode;
  children: ReactNode;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex min-h-11 w-full items-center justify-between gap-4 rounded-8 pr-3 pl-3 text-left hover:bg-ink/10 focus-visible:-outline-offset-2"
    >
      {children}
      {icon}
    </button>
  );
}

/** Shows the less used controls in a panel that stays open during use; `children` are those that don't fit the bar. */
export function MoreControls({
  video,
  onHelp,
  onCopyLink,
  children,
}: {
  video: RefObject<HTMLVideoElement | null>;
  onHelp: () => void;
  onCopyLink?: (() => void) | undefined;
  children?: ReactNode;
}) {
  const popover = usePopover({
    side: 'above',
    onOpen: (panel) => panel.querySelector<HTMLElement>('button, select, input')?.focus(),
  });
  const [floats, setFloats] = useState(false);
  useEffect(() => setFloats(document.pictureInPictureEnabled === true), []);

  const step = (direction: 1 | -1) => () => video.current && stepFrame(video.current, direction);

  return (
    <>
      <PlayerButton {...popover.button} label="More controls">
        <Icon of={Ellipsis} {...ICON} />
      </PlayerButton>
      <Group {...popover.panel} aria-label="More controls" className={`${POPOVER} min-w-60 p-1.5 text-15`}>
        {children}
        <ControlRow name="Frame by frame">
          <PlayerButton label="Previous frame" keys="," onClick={step(-1)}>
            <Icon of={ChevronLeft} {...ICON} />
          </PlayerButton>
          <PlayerButton label="Next frame" keys="." onClick={step(1)}>
            <Icon of={ChevronRight} {...ICON} />
          </PlayerButton>
        </ControlRow>
        {onCopyLink && (
          <ControlItem
            icon={<Icon of={Link2} {...ICON} />}
            onClick={() => {
              popover.close();
              onCopyLink();
            }}
          >
            Copy link to this moment
          </ControlItem>
        )}
        {floats && (
          <ControlItem
            icon={<Icon of={PictureInPicture2} {...ICON} />}
            onClick={() => {
              popover.close();
              if (video.current) togglePictureInPicture(video.current);
            }}
          >
            Picture in picture
          </ControlItem>
        )}
        <ControlItem
          icon={<Icon of={Keyboard} {...ICON} />}
          onClick={() => {
            popover.close();
            onHelp();
          }}
        >
          Keyboard shortcuts
        </ControlItem>
      </Group>
    </>
  );
}
