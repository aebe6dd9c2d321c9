'use client';

import { Suspense, useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { lazyComponent, loadCode } from '@/components/ui/load-code';
import { ProgressBar } from '@/components/ui/progress-bar';
import { showError } from '@/components/ui/show-error';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { ChooseFiles, useFilePickers, useStrayDrops } from './choose-files';
import { type ChosenFiles, type KeptHandle, readHandles } from './chosen-files';
import type { ImportState } from './import-reducer';
import type * as session from './import-session';
import { useImport, usePhaseChange, watchInterruptedImport } from './import-state';
import { readStoredImport, recoverInterruptedImport } from './import-store';

const ImportDetails = lazyComponent(() => import('./import-details'), 'ImportDetails');
const ReviewClips = lazyComponent(() => import('./clips/review-clips'), 'ReviewClips');

/** Does something with this page's import, whose code may not be there yet. Says if the network keeps it away. */
async function withSession(work: (code: typeof session) => unknown): Promise<void> {
  try {
    await work(await loadCode(() => import('./import-session')));
  } catch (error) {
    showError(error);
  }
}

/** Gives up an import. What it has imported stays. */
function StopImport({ account }: { account: string }) {
  return (
    <Button variant="secondary" onClick={() => void withSession(({ stopImport }) => stopImport(account))}>
      Stop importing
    </Button>
  );
}

/** Returns the handles that can still be read, once the user allows it; null unless it's all of them. */
async function allowed(handles: readonly KeptHandle[]): Promise<ChosenFiles | null> {
  try {
    for (const handle of handles) {
      if ((await (handle.requestPermission?.() ?? 'granted')) !== 'granted') return null;
    }
    return handles.length > 0 ? await readHandles(handles) : null;
  } catch {
    return null;
  }
}

/** Goes on with an import of an earlier visit, with the files that the browser remembers or that are chosen again. */
function Interrupted({ account, limits, name }: { account: string; limits: FileLimits; name: string }) {
  const continueWith = (chosen: ChosenFiles) =>
    void withSession(({ continueImport }) => continueImport(account, limits, chosen));
  const { openFiles, openFolder, inputs, target, isOver } = useFilePickers(continueWith);
  async function resume() {
    const stored = await readStoredImport(account);
    const chosen = stored && (await allowed(stored.handles));
    if (chosen) continueWith(chosen);
    // A folder has no extension, or only a number such as a year, as opposed to the only file or to `12 files`.
    else if (/\.(?!\d+$)[a-z0-9]{2,4}$|^[\d,]+ files$/i.test(name)) openFiles();
    else openFolder();
  }
  return (
    <div
      {...target}
      className={`flex flex-col gap-4 rounded-12 ${isOver ? 'outline-2 outline-offset-4 outline-accent' : ''}`}
    >
      <p role="status" className="text-15">
        This import was interrupted. Continue with the same files to pick up where you left off. You can also
        drop them here.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void resume()}>Continue</Button>
        <StopImport account={account} />
      </div>
      {inputs}
    </div>
  );
}

const READING = { files: 'Reading dates', duplicates: 'Looking for duplicates' } as const;

function Reading({ reading }: Pick<ImportState, 'reading'>) {
  const label = reading ? READING[reading.step] : 'Reading files';
  return (
    <>
      <p role="status" className="text-15 text-ink-2">
        {label}…
      </p>
      {reading && (
        <>
          <ProgressBar label={label} value={reading.done} max={Math.max(reading.total, 1)} />
          <p className="text-14 text-ink-3 tabular-nums">
            {reading.done.toLocaleString('en-US')} of {reading.total.toLocaleString('en-US')}
          </p>
        </>
      )}
      <div>
        <Button variant="secondary" onClick={() => void withSession(({ pauseImport }) => pauseImport())}>
          Cancel
        </Button>
      </div>
    </>
  );
}

/** Lets a person import videos from anywhere, or bring back what Daylight exported, and goes on after a reload. */
export function Importer({ account, limits }: { account: string; limits: FileLimits }) {
  const state = useImport();
  const { phase, name, problem, review } = state;
  const area = useRef<HTMLDivElement>(null);
  usePhaseChange(phase, (before) => {
    // Nobody has pressed anything if an earlier visit's import appears.
    if (before === 'idle' && phase === 'interrupted') return;
    // The button that was pressed is gone. Whoever uses a keyboard goes on from here.
    if (document.activeElement === document.body) area.current?.focus();
  });
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    void recoverInterruptedImport(account).then(() => {
      if (!isGone) stop = watchInterruptedImport(account);
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [account]);

  useStrayDrops();

  const choose = (chosen: ChosenFiles) =>
    void withSession(({ chooseFiles }) => chooseFiles(account, limits, chosen));
  if (phase === 'review' && review) {
    return (
      <div ref={area} tabIndex={-1} className="outline-none">
        <Suspense fallback={<p role="status">Loading...</p>}>
          <ReviewClips account={account} limits={limits} name={name} review={review} problem={problem} />
        </Suspense>
      </div>
    );
  }
  return (
    <div ref={area} tabIndex={-1} className="flex max-w-3xl flex-col gap-4 outline-none">
      {(phase === 'idle' || phase === 'interrupted') && problem && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
      {phase === 'idle' ? (
        <ChooseFiles onChoose={choose} />
      ) : (
        <section
          aria-label="Import"
          className="flex flex-col gap-4 rounded-18 border border-line bg-surface p-5 sm:p-7"
        >
          <p className="text-14 break-all text-ink-2">{name}</p>
          {phase === 'interrupted' && <Interrupted account={account} limits={limits} name={name} />}
          {phase === 'reading' && <Reading reading={state.reading} />}
          {phase !== 'interrupted' && phase !== 'reading' && (
            <Suspense fallback={<p role="status">Loading...</p>}>
              <ImportDetails state={state} account={account} />
            </Suspense>
          )}
          {phase === 'paused' && (
            <div>
              <StopImport account={account} />
            </div>
          )}
        </section>
      )}
    </div>
  );
}
