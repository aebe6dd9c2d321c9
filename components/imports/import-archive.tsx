'use client';

import { Suspense, useEffect, useRef } from 'react';
import { countEntries } from '@/components/entries/count-entries';
import { Button } from '@/components/ui/button';
import { lazyComponent, loadCode } from '@/components/ui/load-code';
import type { FileLimits } from '@/lib/plans/file-limits';
import { getImportState, interruptedImport, useImport } from './import-state';
import type { KeptFileHandle } from './import-store';

declare global {
  interface Window {
    /** Only Chromium has it. */
    showOpenFilePicker?(options: {
      types: { description: string; accept: Record<string, string[]> }[];
    }): Promise<FileSystemFileHandle[]>;
  }
}

const ImportDetails = lazyComponent(() => import('./import-details'));
const loadSession = () => loadCode(() => import('./import-session'));

/** Lets a person bring back what Daylight exported: shows what a ZIP holds, imports it, and goes on after a reload. */
export function ImportArchive({ account, limits }: { account: string; limits: FileLimits }) {
  const state = useImport();
  const { phase, name, problem, plan, tags } = state;
  const input = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLDivElement>(null);

  async function choose(file: File, handle: KeptFileHandle | null) {
    const isSame = getImportState().phase === 'interrupted' && file.name === getImportState().name;
    const { chooseArchive, continueImport } = await loadSession();
    await (isSame ? continueImport : chooseArchive)(account, limits, file, handle);
  }

  async function openPicker() {
    if (!window.showOpenFilePicker) return input.current?.click();
    try {
      const types = [{ description: 'ZIP', accept: { 'application/zip': ['.zip'] } }];
      const [handle] = await window.showOpenFilePicker({ types });
      if (handle) await choose(await handle.getFile(), handle);
    } catch (error) {
      // The person closed the picker.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    }
  }

  /** Goes on with the file of an earlier visit, or asks for it if the browser doesn't have it. */
  async function goOn() {
    const { interruptedFile } = await loadCode(() => import('./import-store'));
    const handle = await interruptedFile(account);
    const isAllowed = handle && (await (handle.requestPermission?.() ?? 'granted')) === 'granted';
    const file = isAllowed ? await handle.getFile().catch(() => null) : null;
    if (file) await choose(file, handle);
    else await openPicker();
  }

  const lastPhase = useRef(phase);
  useEffect(() => {
    const hasChanged = lastPhase.current !== phase;
    lastPhase.current = phase;
    if (!hasChanged || phase === 'interrupted' || document.activeElement !== document.body) return;
    // The button that was pressed is gone. Whoever uses a keyboard goes on from here.
    area.current?.focus();
  }, [phase]);

  const start = async () => (await loadSession()).startImport();
  const wanted = plan?.wanted.length ?? 0;
  // The archive of an unfinished import, which a file that was only looked into isn't.
  const isUnfinished = phase === 'paused' || (phase === 'ready' && interruptedImport(account) !== null);
  const stop = (
    <Button variant="secondary" onClick={async () => (await loadSession()).stopImport(account)}>
      Stop importing
    </Button>
  );
  const isChoosable = phase !== 'running' && phase !== 'interrupted' && phase !== 'reading';
  return (
    <div ref={area} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {name !== '' && <p className="text-14 break-all text-ink-2">{name}</p>}
      {phase === 'interrupted' && (
        <>
          <p role="status" className="text-15">
            This import was interrupted. Continue with the same file.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => void goOn()}>Continue</Button>
            {stop}
          </div>
        </>
      )}
      {phase === 'reading' && (
        <p role="status" className="text-15 text-ink-2">
          Reading the archive…
        </p>
      )}
      <Suspense fallback={null}>
        {phase !== 'idle' && phase !== 'interrupted' && phase !== 'reading' && (
          <ImportDetails
            state={state}
            onPause={async () => (await loadSession()).pauseImport()}
            onContinue={async () => (await loadSession()).resumeImport()}
            onRetryNow={async () => (await loadSession()).retryNow()}
          />
        )}
      </Suspense>
      {(phase === 'idle' || phase === 'interrupted') && problem && (
        <p role="alert" className="text-15 text-danger">
          {problem}
        </p>
      )}
      {isChoosable && (
        <div className="flex flex-wrap gap-2">
          {phase === 'ready' && wanted > 0 && (
            <Button onClick={() => void start()}>Import {countEntries(wanted)}</Button>
          )}
          {phase === 'ready' && wanted === 0 && tags > 0 && (
            <Button onClick={() => void start()}>Import tags</Button>
          )}
          <Button variant={phase === 'idle' ? 'primary' : 'secondary'} onClick={() => void openPicker()}>
            {phase === 'idle' ? 'Choose a ZIP' : 'Choose another ZIP'}
          </Button>
          {isUnfinished && stop}
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label="Archive"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) void choose(file, null);
        }}
      />
    </div>
  );
}
