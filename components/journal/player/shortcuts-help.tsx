import { useState } from 'react';
import { useKeyLabels } from '@/components/ui/use-key-labels';
import { areShortcutsDisabled, setShortcutsDisabled } from '@/components/ui/use-keyboard-shortcuts';

const RECORD_KEY = 'R';
const PALETTE_KEYS = '⌘K or Ctrl+K';

const KEYS = [
  ['K or Space', 'Play or pause'],
  ['J', 'Back 10 seconds'],
  ['L', 'Forward 10 seconds'],
  [', and .', 'Previous or next frame'],
  ['M', 'Mute or unmute'],
  ['F', 'Full screen'],
  ['C', 'Captions on or off'],
  ['N and Shift+N', 'Next or previous match, in the transcript'],
  ['/', 'Search'],
  [PALETTE_KEYS, 'Search, and go anywhere'],
  [RECORD_KEY, 'Record a new entry'],
  ['?', 'This list'],
] as const;

/**
 * Lists the entry page's keyboard shortcuts, with a checkbox that turns them all off.
 * @param isOnSite whether it's on the site, which has a recorder and a palette, and not in an archive
 */
export function ShortcutsHelp({ isOnSite = true }: { isOnSite?: boolean }) {
  const keys = KEYS.filter(([key]) => isOnSite || (key !== RECORD_KEY && key !== PALETTE_KEYS));
  const labelKeys = useKeyLabels();
  const [off, setOff] = useState(areShortcutsDisabled);
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 text-15">
        {keys.map(([key, action]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-8 border border-line bg-sunken px-2 py-0.5 font-sans text-14">
                {labelKeys(key)}
              </kbd>
            </dt>
            <dd className="text-ink-2">{action}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-4 flex min-h-11 items-center gap-2.5 text-15">
        <input
          type="checkbox"
          checked={!off}
          onChange={(event) => {
            setShortcutsDisabled(!event.target.checked);
            setOff(!event.target.checked);
          }}
          className="size-5 accent-accent"
        />
        Use keyboard shortcuts
      </label>
    </>
  );
}
