'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { showError, showProblem } from '@/components/ui/show-error';
import { toast } from '@/components/ui/toast';
import { useListChanges } from '@/components/ui/use-list-changes';
import { call } from '@/lib/api/shared/client';
import { ApiError } from '@/lib/foundation/contract/shared/api-error';
import type { Tag } from '@/lib/journal/tags/contract';
import { sortByName } from './filter-tags';
import { NewTagForm } from './new-tag-form';
import { TagRow } from './tag-row';

/** Merges one tag into another after asking for confirmation. */
function MergeTags({ from, into, onMerged }: { from: Tag; into: Tag; onMerged: (gone: Tag) => void }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function merge() {
    setBusy(true);
    try {
      await call('POST /category/:id/merge', { params: { id: from.id }, body: { into: into.id } });
      onMerged(from);
    } catch (error) {
      showError(error);
    }
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Merge tags
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Merge these tags?"
        description={`Every entry tagged “${from.name}” will be tagged “${into.name}” instead, and “${from.name}” will be deleted. You can’t undo this.`}
      >
        <div className="flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void merge()}>
            Merge
          </Button>
          <Button variant="secondary" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}

const isSame = (one: Tag, two: Tag) => one.name === two.name && one.color === two.color;

interface TagsError {
  message: string;
  /** The names at fault, in lower case. */
  names: Set<string>;
  /** Two tags with the same name, which can be merged. */
  pair?: [Tag, Tag];
}

/** Returns why the edits can't be saved; null if they can. */
function validateTags(rows: readonly Tag[]): TagsError | null {
  const seen = new Map<string, Tag>();
  const twice = new Set<string>();
  let pair: TagsError['pair'];
  for (const tag of rows) {
    const key = tag.name.trim().toLowerCase();
    if (key === '') return { message: 'Give every tag a name.', names: new Set(['']) };
    const other = seen.get(key);
    if (other) {
      twice.add(key);
      pair ??= [other, tag];
    }
    seen.set(key, tag);
  }
  return pair ? { message: 'Two tags can’t have the same name.', names: twice, pair } : null;
}

/** Edits the account's tags in a table. New tags are added right away; edits wait for 'Sync'. */
export function TagSettings({ tags }: { tags: readonly Tag[] }) {
  const { items, put, remove: dropTag } = useListChanges(tags);
  const saved = sortByName(items);
  const [edits, setEdits] = useState<ReadonlyMap<string, Tag>>(new Map());
  const [syncing, setSyncing] = useState(false);
  const rows = saved.map((tag) => edits.get(tag.id) ?? tag);
  const wrong = validateTags(rows);
  const savedAs = (tag: Tag) => saved.find((one) => one.id === tag.id) ?? tag;
  // Merge the renamed tag into the one that already had the name.
  const pair = wrong?.pair?.toSorted((one, two) => Number(edits.has(two.id)) - Number(edits.has(one.id)));

  function change(tag: Tag) {
    const before = saved.find((one) => one.id === tag.id);
    if (before && isSame(before, tag)) discardEdit(tag.id);
    else setEdits((now) => new Map(now).set(tag.id, tag));
  }

  function discardEdit(id: string) {
    setEdits((now) => new Map([...now].filter(([edited]) => edited !== id)));
  }

  async function remove(tag: Tag) {
    try {
      await call('DELETE /category/:id', { params: { id: tag.id } });
    } catch (error) {
      // It's already deleted.
      if (!(error instanceof ApiError && error.code === 'not_found')) return showError(error);
    }
    dropTag(tag.id);
    discardEdit(tag.id);
    toast.success(`“${tag.name}” is deleted.`, { label: 'Undo', onPress: () => void restore(tag) });
  }

  async function restore({ id }: Tag) {
    try {
      put(await call('POST /category/:id/restore', { params: { id } }));
    } catch (error) {
      showError(error);
    }
  }

  async function sync() {
    if (wrong) return showProblem(wrong.message);
    setSyncing(true);
    try {
      for (const tag of await call('POST /bulk/category', { body: { categories: [...edits.values()] } }))
        put(tag);
      // Keep what was typed during the request.
      setEdits((now) => new Map([...now].filter(([id, tag]) => edits.get(id) !== tag)));
    } catch (error) {
      showError(error);
    }
    setSyncing(false);
  }

  return (
    <div className="flex flex-col gap-5">
      <NewTagForm onAdded={put} />
      {rows.length === 0 ? (
        <p className="text-15 text-ink-2">No tags yet. Use tags to group related entries.</p>
      ) : (
        // A container query, since the width depends on where the settings tabs are.
        <div className="@container">
          <table className="w-full border-collapse text-left @max-[36rem]:block">
            <thead className="@max-[36rem]:sr-only">
              <tr className="text-14 text-ink-2">
                <th className="p-2 font-semibold">Look</th>
                <th className="p-2 font-semibold">Title</th>
                <th className="p-2 font-semibold">Background Color</th>
                <th className="p-2">
                  <span className="sr-only">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody className="@max-[36rem]:block">
              {saved.map((tag) => (
                <TagRow
                  key={tag.id}
                  tag={edits.get(tag.id) ?? tag}
                  name={tag.name}
                  edited={edits.has(tag.id)}
                  clash={wrong?.names.has((edits.get(tag.id) ?? tag).name.trim().toLowerCase()) ?? false}
                  onChange={change}
                  onRemove={() => void remove(tag)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edits.size > 0 && (
        <div className="sticky bottom-4 flex flex-wrap items-center justify-between gap-3 rounded-18 border border-line bg-surface p-3 pl-5 shadow-lg max-sm:bottom-20">
          <p role="status" className={`grow text-15 ${wrong ? 'text-danger' : 'text-ink-2'}`}>
            {wrong?.message ?? (edits.size === 1 ? '1 unsaved change' : `${edits.size} unsaved changes`)}
          </p>
          {pair?.[0] && pair[1] && (
            <MergeTags
              from={savedAs(pair[0])}
              into={savedAs(pair[1])}
              onMerged={(gone) => {
                dropTag(gone.id);
                discardEdit(gone.id);
              }}
            />
          )}
          <Button busy={syncing} onClick={() => void sync()}>
            Sync
          </Button>
        </div>
      )}
    </div>
  );
}
