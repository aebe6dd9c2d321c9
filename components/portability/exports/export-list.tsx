'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { saveExport } from '@/components/journal/downloads/prepared-download';
import { ProgressPoller } from '@/components/journal/entries/progress-poller';
import { Button } from '@/components/ui/button';
import { ProgressBar } from '@/components/ui/progress-bar';
import { showError, showProblem } from '@/components/ui/show-error';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import { formatBytes } from '@/lib/billing/plans/shared/format';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { Export } from '@/lib/portability/exports/contract';

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' });

function describe({ status, bytes, expiresAt, error, progress }: Export): string {
  if (status === 'failed') return error ?? 'It couldn’t be prepared. Try again.';
  const size = bytes === null ? '' : `${formatBytes(bytes)}. `;
  if (status === 'preparing') return `${size}Preparing, ${Math.round(progress * 100)}% done.`;
  return expiresAt ? `${size}Available until ${dayFormat.format(new Date(expiresAt))}.` : size;
}

/** Told to screen readers when it changes; not the progress, which changes all the time. */
const NEWS = { preparing: '', ready: 'Ready to download.', failed: 'Couldn’t be prepared.' } as const;

/** Ignores that an archive is gone already, such as after a click in another tab. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
}

/** Lists archives that are being prepared or can be downloaded. */
export function ExportList({ exports: given }: { exports: readonly Export[] }) {
  const router = useRouter();
  const { items, remove } = useListChanges(given);
  const [busy, setBusy] = useState<string | null>(null);

  async function run(one: Export, work: (one: Export) => Promise<unknown>) {
    setBusy(one.id);
    try {
      await work(one);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  }

  async function save({ id }: Export) {
    const problem = await saveExport(id);
    if (problem) showProblem(problem);
  }

  async function discard({ id }: Export) {
    await call('DELETE /exports/:id', { params: { id } }).catch(unlessGone);
    remove(id);
  }

  const retry = ({ id }: Export) =>
    call('POST /exports/:id/retry', { params: { id } })
      .catch(unlessGone)
      .finally(() => router.refresh());

  const state = items.map(({ id, status, progress }) => `${id} ${status} ${progress}`).join();
  return (
    <>
      <ul className="flex flex-col gap-3 empty:hidden">
        {items.map((one) => (
          <li key={one.id} className="flex flex-col gap-3 rounded-12 border border-line p-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <div className="min-w-0">
                <h3 dir="auto" className="text-16 font-semibold break-words">
                  {one.fileName}
                </h3>
                <p className="text-14 text-ink-3 tabular-nums">{describe(one)}</p>
                <p className="sr-only" role="status">
                  {NEWS[one.status]}
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                {one.status === 'ready' && (
                  <Button size="sm" busy={busy === one.id} onClick={() => void run(one, save)}>
                    Download<span className="sr-only"> {one.fileName}</span>
                  </Button>
                )}
                {one.status === 'failed' && (
                  <Button size="sm" busy={busy === one.id} onClick={() => void run(one, retry)}>
                    Try again<span className="sr-only">: {one.fileName}</span>
                  </Button>
                )}
                <Button
                  size="sm"
                  variant="secondary"
                  busy={busy === one.id}
                  onClick={() => void run(one, discard)}
                >
                  {one.status === 'preparing' ? 'Cancel' : 'Delete'}
                  <span className="sr-only"> {one.fileName}</span>
                </Button>
              </div>
            </div>
            {one.status === 'preparing' && (
              <ProgressBar label={`Preparing ${one.fileName}`} value={one.progress} max={1} />
            )}
          </li>
        ))}
      </ul>
      {items.some(({ status }) => status === 'preparing') && <ProgressPoller state={state} />}
    </>
  );
}
