'use client';

import { Download, EllipsisVertical, Link2, Trash2 } from 'lucide';
import { useRouter } from 'next/navigation';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { DownloadDialog } from '@/components/journal/downloads/download-dialog';
import { copyMomentLink } from '@/components/journal/player/copy-moment-link';
import { usePlayback } from '@/components/journal/player/playback';
import type { Elements } from '@/components/ui/elements';
import { Icon } from '@/components/ui/icon';
import { keyOf } from '@/components/ui/key-of';
import { Menu, MenuItem } from '@/components/ui/menu';
import { usePrehydrationText } from '@/components/ui/prehydration-input';
import { showError, showProblem } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { cleanText, isBlank } from '@/lib/foundation/shared/clean-text';
import type { Entry } from '@/lib/journal/entries/contract';
import { formatUsDate, toIso } from '@/lib/journal/entries/shared/calendar';
import { DeleteDialog } from './delete-entry';
import { readTypedDate } from './typed-date';

const EDITABLE =
  '-mx-2 block rounded-8 border border-transparent bg-transparent px-2 hover:border-line-strong focus:border-line-strong focus:bg-surface';

type Control = HTMLInputElement | HTMLTextAreaElement;

/** The result of checking a value: what's wrong with it, or what to show and what to send. */
type ValidationResult = { error: string } | { shown: string; body: { title: string } | { date: string } };

function validateDate(typed: string): ValidationResult {
  const read = readTypedDate(typed);
  return 'error' in read ? read : { shown: formatUsDate(read.date), body: { date: toIso(read.date) } };
}

function validateTitle(typed: string): ValidationResult {
  const title = cleanText(typed);
  return isBlank(title) ? { error: 'Must have a title.' } : { shown: title, body: { title } };
}

/**
 * Saves an entry's field on blur or Enter. If the value is rejected, here or by the server, shows a toast and restores
 * the previous one; Escape restores it too.
 * @returns props for the input
 */
function useInlineEdit(entryId: string, value: string, check: (typed: string) => ValidationResult) {
  const router = useRouter();
  /** What was saved in place of a value, shown until the page has it too. */
  const [sent, setSent] = useState<{ before: string; after: string } | null>(null);
  const saved = sent?.before === value ? sent.after : value;
  const [typed, setTyped] = useState<string | null>(null);
  const cancelled = useRef(false);
  const id = useId();

  async function save(draft: string) {
    setTyped(null);
    if (cancelled.current || draft === saved) {
      cancelled.current = false;
      return;
    }
    const checked = check(draft);
    const field = document.getElementById(id);
    if ('error' in checked) return showProblem(checked.error, field);
    if (checked.shown === saved) return;
    setSent({ before: value, after: checked.shown });
    try {
      await call('POST /entry/:id', { params: { id: entryId }, body: checked.body });
      router.refresh();
    } catch (error) {
      setSent(sent);
      showError(error, field);
    }
  }

  function handleKeyDown(event: KeyboardEvent<Control>) {
    const key = keyOf(event);
    if (key === 'Escape') cancelled.current = true;
    if (key !== 'Enter' && key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
  }

  const type = (text: string) => setTyped(text.replaceAll(/[\r\n\v\f\u0085]+/g, ' '));
  const early = usePrehydrationText(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what was typed before hydration
  useLayoutEffect(() => {
    if (early === null) return;
    if (document.activeElement?.id === id) type(early);
    else void save(early);
  }, []);
  return {
    id,
    value: typed ?? saved,
    onChange: (event: { currentTarget: Control }) => type(event.currentTarget.value),
    onBlur: (event: FocusEvent<Control>) => void save(event.currentTarget.value),
    onKeyDown: handleKeyDown,
  };
}

/**
 * Shows an entry's date and title, both edited in place, and its menu. Needs a `PlaybackProvider` above it.
 * @param isPlayable whether it has a video
 * @param status what to say beside the date
 * @param menuItems more items of the menu
 */
export function EntryHeader({
  id,
  title,
  date,
  isPlayable,
  status,
  menuItems,
}: Pick<Entry, 'id' | 'title' | 'date'> & { isPlayable: boolean; status: ReactNode; menuItems: Elements }) {
  const editDate = useInlineEdit(id, formatUsDate(date), validateDate);
  const editTitle = useInlineEdit(id, title, validateTitle);
  const [downloading, setDownloading] = useState(false);
  const [asking, setAsking] = useState(false);
  const { video } = usePlayback();
  return (
    <header className="flex items-start justify-between gap-4">
      <div className="min-w-0 grow">
        <h1 dir="auto" className="sr-only">
          {title}
        </h1>
        <div className="flex flex-wrap items-center gap-x-3">
          <input
            {...editDate}
            aria-label="Date"
            inputMode="numeric"
            autoComplete="off"
            maxLength={40}
            className={`${EDITABLE} min-h-11 w-32 text-15 text-ink-3 tabular-nums`}
          />
          {status}
        </div>
        <textarea
          {...editTitle}
          dir="auto"
          aria-label="Title"
          rows={1}
          maxLength={200}
          spellCheck
          className={`${EDITABLE} heading heading-page min-h-13 w-[calc(100%+1rem)] resize-none py-1 [field-sizing:content]`}
        />
      </div>
      <Menu label="More actions" icon={<Icon of={EllipsisVertical} className="size-5" aria-hidden="true" />}>
        <MenuItem onSelect={() => setDownloading(true)}>
          <Icon of={Download} className="size-4" aria-hidden="true" />
          Download
        </MenuItem>
        {isPlayable && (
          <MenuItem onSelect={() => void copyMomentLink(id, video.current?.currentTime ?? 0)}>
            <Icon of={Link2} className="size-4" aria-hidden="true" />
            Copy link to this moment
          </MenuItem>
        )}
        {menuItems}
        <MenuItem danger onSelect={() => setAsking(true)}>
          <Icon of={Trash2} className="size-4" aria-hidden="true" />
          Delete
        </MenuItem>
      </Menu>
      <DownloadDialog entryId={id} open={downloading} onOpenChange={setDownloading} />
      <DeleteDialog id={id} title={title} open={asking} onOpenChange={setAsking} />
    </header>
  );
}
