import { stopsEverything } from '@/components/portability/imports/import-error';
import type { ImportItem, ImportKind, ImportSource } from '@/components/portability/imports/import-source';
import { call } from '@/lib/api/shared/client';
import type { EntryState } from '@/lib/portability/imports/archive/shared/requests';
import type { ChosenClip, ClipValues } from './chosen-clip';
import { importClip } from './import-clip';

const NOT_CHOSEN = 'This file is missing from what you chose. Choose the same folder or files to import it.';

async function findStates(importId: string | null, ids: readonly string[]): Promise<EntryState[]> {
  // Before it starts, the review has told which ones the journal has.
  if (importId === null) return ids.map(() => 'new');
  const { clips } = await call('GET /imports/:id/clips', { params: { id: importId } });
  const states = new Map(clips.map(({ clipId, state }) => [clipId, state]));
  return ids.map((id) => states.get(id) ?? 'new');
}

const itemOf = (chosen: ChosenClip): ImportItem => ({
  id: chosen.clip.id,
  title: chosen.values.title,
  date: chosen.values.date,
  bytes: chosen.clip.file.size,
  seconds: chosen.clip.seconds,
  problem: null,
  send: (importId, events, signal) => importClip(chosen, importId, events, signal),
});

/** Returns an item for a clip of an interrupted import that wasn't chosen again. */
const missingItemOf = ({ id, title, date }: ClipValues & { id: string }): ImportItem => ({
  ...{ id, title, date, bytes: 0, seconds: null },
  problem: NOT_CHOSEN,
  send: () => Promise.reject(new Error(NOT_CHOSEN)),
});

/**
 * Returns what imports clips.
 * @param missing those of an interrupted import that weren't chosen again
 */
export function createClipsSource(
  kind: ImportKind,
  name: string,
  chosen: readonly ChosenClip[],
  missing: readonly (ClipValues & { id: string })[] = [],
): ImportSource {
  const items = [...chosen.map(itemOf), ...missing.map(missingItemOf)];
  return {
    kind,
    name,
    items,
    tags: 0,
    findStates: (importId) =>
      findStates(
        importId,
        items.map(({ id }) => id),
      ),
    sendShared: async () => {},
    // Another file can still be read.
    stopsAll: stopsEverything,
  };
}
