import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { listRecordingSizes } from '@/components/capture/recorder/recording-store';
import { InstallApp } from '@/components/device/install/install-app';
import { downloadSavedEntries } from '@/components/journal/saved-entries/download-entries';
import { refreshSavedEntries } from '@/components/journal/saved-entries/refresh-saved-entries';
import { LockedEntries, SavedEntryList } from '@/components/journal/saved-entries/saved-entry-list';
import { useSavedEntries } from '@/components/journal/saved-entries/use-saved-entries';
import { Button, ButtonLink } from '@/components/ui/button';
import { Section } from '@/components/ui/section';
import { showProblem } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import type { DateFormat } from '@/lib/journal/entries/shared/date-format';
import { countCachedBytes, removeCachedModels } from '@/lib/video/speech/shared/model-cache';

/** What's on this device apart from saved entries. Sizes are in bytes. */
interface DeviceContents {
  recordings: { count: number; bytes: number };
  speech: number;
  /** Null if the browser doesn't say. */
  space: { usage: number; quota: number } | null;
  /** Whether the browser deletes nothing by itself; null if it doesn't say. */
  persistent: boolean | null;
}

async function examineDevice(owner: string): Promise<DeviceContents> {
  const [recordings, speech, estimate, persistent] = await Promise.all([
    listRecordingSizes(owner).catch(() => []),
    countCachedBytes().catch(() => 0),
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => null),
  ]);
  const { usage, quota } = estimate ?? {};
  return {
    recordings: { count: recordings.length, bytes: recordings.reduce((sum, { bytes }) => sum + bytes, 0) },
    speech,
    space: usage === undefined || quota === undefined ? null : { usage, quota },
    persistent: persistent ?? null,
  };
}

function RecordingsSection({ count, bytes }: DeviceContents['recordings']) {
  return (
    <Section title="Recordings" lead="Recordings stay on this device until they’re uploaded.">
      {count === 0 ? (
        <p className="text-15 text-ink-2">All your recordings are uploaded.</p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-15 tabular-nums">
            {count === 1 ? '1 recording isn’t uploaded yet' : `${count} recordings aren’t uploaded yet`} ·{' '}
            {formatBytes(bytes)}
          </p>
          <ButtonLink href="/upload" variant="secondary" size="sm">
            Upload or discard
          </ButtonLink>
        </div>
      )}
    </Section>
  );
}

function SpeechSection({ bytes, onRemoved }: { bytes: number; onRemoved: () => void }) {
  if (bytes === 0) return null;
  return (
    <Section
      title="Speech recognition"
      lead="Shows words as you speak. If you remove it, it’s downloaded again the next time you use it."
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-15 tabular-nums">{formatBytes(bytes)}</p>
        <Button
          size="sm"
          variant="secondary"
          onClick={() =>
            void removeCachedModels()
              .catch(() => {})
              .then(onRemoved)
          }
        >
          Remove<span className="sr-only"> speech recognition</span>
        </Button>
      </div>
    </Section>
  );
}

const REFUSED =
  'Your browser decides this by itself. Use Daylight more often, install it, or bookmark it, then try again.';

function SpaceSection({ space, persistent, onAnswer }: DeviceContents & { onAnswer: () => void }) {
  async function ask() {
    const isGranted = await navigator.storage.persist().catch(() => false);
    if (isGranted) toast.success('Your browser won’t delete this by itself.');
    else showProblem(REFUSED);
    onAnswer();
  }
  return (
    <Section title="Space" lead={space ? undefined : 'Your browser doesn’t say how much space is left.'}>
      {space && (
        <p className="text-15 tabular-nums">
          Daylight uses {formatBytes(space.usage)}. Your browser allows up to {formatBytes(space.quota)}.
        </p>
      )}
      {persistent && (
        <p className="text-15 text-ink-2">
          Your browser won’t delete this by itself, even when this device runs out of space.
        </p>
      )}
      {persistent === false && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-15 text-ink-2">
            When this device runs out of space, your browser may delete what Daylight saved here, including
            recordings that aren’t uploaded. Entries stay in your journal.
          </p>
          <Button variant="secondary" onClick={() => void ask()}>
            Protect what’s saved here
          </Button>
        </div>
      )}
    </Section>
  );
}

/** Lists what's on this device: saved entries, recordings, and downloads. */
export function DevicePanel({
  owner,
  dateFormat,
  loading,
}: {
  owner: string;
  dateFormat: DateFormat;
  loading: ReactNode;
}) {
  const saved = useSavedEntries(owner);
  const [contents, setContents] = useState<DeviceContents | null>(null);
  const examine = useCallback(() => void examineDevice(owner).then(setContents), [owner]);
  // What's saved changes the space that's used.
  useEffect(examine, [examine, saved]);
  useEffect(() => {
    void refreshSavedEntries(owner, true)
      .then(() => downloadSavedEntries(owner))
      // Where this browser stores nothing, nothing is saved.
      .catch(() => {});
  }, [owner]);
  if (!saved || !contents) return loading;
  return (
    <>
      <InstallApp />
      <Section
        title="Entries on this device"
        lead="They play without a connection. Logging out removes them from this device, but not from your journal."
      >
        <LockedEntries count={saved.lockedCount} />
        {(saved.lockedCount === 0 || saved.entries.length > 0) && (
          <SavedEntryList owner={owner} saved={saved.entries} dateFormat={dateFormat} />
        )}
      </Section>
      <RecordingsSection {...contents.recordings} />
      <SpeechSection bytes={contents.speech} onRemoved={examine} />
      <SpaceSection {...contents} onAnswer={examine} />
    </>
  );
}
