import { Close, Content, Description, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog';
import { X } from 'lucide';
import { type ReactNode, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** `wide` fits three cards side by side. */
  width?: 'narrow' | 'wide';
}

export function DialogPanel({
  open,
  onOpenChange,
  title,
  description,
  children,
  width = 'narrow',
}: DialogProps) {
  // There's no Radix trigger, so the focus is returned by hand.
  const opener = useRef<Element>(null);
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        <Overlay className="overlay fixed inset-0 z-40 grid place-items-center overflow-y-auto bg-black/55 p-4">
          <Content
            className={`panel relative w-full rounded-18 border border-line bg-surface p-5 text-ink [overflow-wrap:anywhere] shadow-2xl focus:outline-none sm:p-7 ${width === 'wide' ? 'max-w-[980px]' : 'max-w-[480px]'}`}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            onEscapeKeyDown={(event) => {
              if (keyOf(event) !== 'Escape') event.preventDefault();
            }}
            onPointerDownOutside={(event) => {
              if ((event.target as Element).closest('.Toastify')) event.preventDefault();
            }}
          >
            <Title className="heading pr-12 text-[24px]">{title}</Title>
            {description && (
              <Description asChild>
                <div className="mt-2 text-15 text-ink-2">{description}</div>
              </Description>
            )}
            <div className="mt-5">{children}</div>
            <Close
              aria-label="Close"
              className="absolute top-3 right-3 grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <Icon of={X} className="size-5" aria-hidden="true" />
            </Close>
          </Content>
        </Overlay>
      </Portal>
    </Root>
  );
}
