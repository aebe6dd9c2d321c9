'use client';

import { ChevronLeft, ChevronRight, Ellipsis, Keyboard, Link2, PictureInPicture2 } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { positionPopover } from '@/components/ui/menu';
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
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [floats, setFloats] = useState(false);
  useEffect(() => setFloats(document.pictureInPictureEnabled === true), []);

  const step = (direction: 1 | -1) => () => video.current && stepFrame(video.current, direction);

  return (
    <>
      <PlayerButton
        ref={button}
        label="More controls"
        popoverTarget={id}
        aria-expanded={open}
        aria-controls={id}
      >
        <Icon of={Ellipsis} {...ICON} />
      </PlayerButton>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, and no fields of a form */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="group"
        aria-label="More controls"
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          if (!opened || !panel.current || !button.current) return;
          positionPopover(panel.current, button.current, 'above');
          panel.current.querySelector<HTMLElement>('button, select, input')?.focus();
        }}
        className="fixed inset-auto m-0 min-w-60 rounded-12 border border-line bg-surface p-1.5 text-15 text-ink shadow-lg"
      >
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
              panel.current?.hidePopover();
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
              panel.current?.hidePopover();
              if (video.current) togglePictureInPicture(video.current);
            }}
          >
            Picture in picture
          </ControlItem>
        )}
        <ControlItem
          icon={<Icon of={Keyboard} {...ICON} />}
          onClick={() => {
            panel.current?.hidePopover();
            onHelp();
          }}
        >
          Keyboard shortcuts
        </ControlItem>
      </div>
    </>
  );
}
