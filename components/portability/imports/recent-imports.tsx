'use client';

import { useRouter } from 'next/navigation';
import { countEntries } from '@/components/journal/entries/count-entries';
import { loadCode } from '@/components/ui/load-code';
import { LocalTime } from '@/components/ui/local-time';
import { showError } from '@/components/ui/show-error';
import type { ResponseBody } from '@/lib/api/shared/client';
import { fromYears } from './describe-import';
import { getImportState, useImport, usePhaseChange } from './import-state';
import { readStoredImport } from './import-store';
import { UndoImport } from './undo-import';

type Import = ResponseBody<'GET /imports'>['imports'][number];

/** Says what an import has added: `512 entries from 2014 to 2024`. */
function describeEntries({ entryCount, firstDate, lastDate }: Import): string {
  return countEntries(entryCount) + fromYears(firstDate?.slice(0, 4), lastDate?.slice(0, 4));
}

/** Lists the imports of the last 30 days, each of which can be undone. */
export function RecentImports({ account, imports }: { account: string; imports: readonly Import[] }) {
  const router = useRouter();
  const { phase, importId } = useImport();
  usePhaseChange(phase, () => {
    // One that's finished, stopped, or undone on this page is listed differently now.
    if (phase === 'idle') router.refresh();
  });
  const shown = imports.filter(({ id }) => id !== importId || phase !== 'running');
  if (shown.length === 0) return null;

  async function onUndone(id: string) {
    router.refresh();
    const stored = await readStoredImport(account);
    const current = getImportState();
    // The server would refuse to continue it.
    const isInterrupted = current.phase === 'interrupted' && stored?.importId === id;
    if (!isInterrupted && current.importId !== id) return;
    const { discardImport } = await loadCode(() => import('./import-session'));
    await discardImport(account);
  }

  return (
    <section aria-labelledby="recent-imports" className="flex max-w-3xl flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <h2 id="recent-imports" className="heading text-[22px]">
          Recent imports
        </h2>
        <p className="text-15 text-pretty text-ink-2">
          For 30 days, you can undo an import. Your journal is then as it was before, and the imported entries
          are in Trash. If that’s full, the entries that have been there longest are deleted forever.
        </p>
      </div>
      <ul className="flex flex-col gap-3">
        {shown.map((one) => (
          <li
            key={one.id}
            className="flex flex-wrap items-center justify-between gap-3 rounded-12 border border-line bg-surface p-4"
          >
            <div className="min-w-0">
              <h3 dir="auto" className="text-16 font-semibold break-words">
                {one.name}
              </h3>
              <p className="text-14 text-ink-3 tabular-nums">
                <LocalTime iso={one.createdAt} />
                {' · '}
                {one.undoneAt ? 'Undone' : describeEntries(one)}
              </p>
            </div>
            {!one.undoneAt && (
              <UndoImport
                importId={one.id}
                label={one.name}
                onUndone={() => onUndone(one.id).catch(showError)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
