import { X } from 'lucide';
import { useEffect, useRef } from 'react';
import { ShortcutsHelp } from '@/components/journal/player/shortcuts-help';
import { Icon } from '@/components/ui/icon';

/** Shows the list of shortcuts over the page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      // Shortcuts are off while there's an element with this role.
      // biome-ignore lint/a11y/noRedundantRoles: see above
      role="dialog"
      aria-label="Keyboard shortcuts"
      onClose={onClose}
      className="m-auto w-full max-w-[480px] rounded-18 border border-line bg-surface p-5 shadow-2xl backdrop:bg-black/55 sm:p-7"
    >
      <h2 className="heading mb-5 pr-12 text-[24px]">Keyboard shortcuts</h2>
      <ShortcutsHelp isOnSite={false} />
      <button
        type="button"
        aria-label="Close"
        onClick={() => dialog.current?.close()}
        className="absolute top-3 right-3 grid size-11 place-items-center rounded-pill text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <Icon of={X} className="size-5" aria-hidden="true" />
      </button>
    </dialog>
  );
}
