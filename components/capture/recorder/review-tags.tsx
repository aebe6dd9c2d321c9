import { useEffect, useState } from 'react';
import { sortByName } from '@/components/journal/tags/filter-tags';
import { fetchTags, readSavedTags } from '@/components/journal/tags/saved-tags';
import { TagFields } from '@/components/journal/tags/tag-fields';
import { TagDot } from '@/components/ui/tag-dot';
import { call } from '@/lib/api/shared/client';
import { logRejected } from '@/lib/foundation/contract/shared/api-error';
import type { Tag } from '@/lib/journal/tags/contract';

/** How many tags to offer for one press. */
const MAX_OFFERED = 5;

/** Chooses tags for an entry that isn't uploaded yet. */
export function ReviewTags({
  account,
  chosen,
  onChange,
}: {
  account: string;
  chosen: readonly Tag[];
  onChange: (tags: readonly Tag[]) => void;
}) {
  const [all, setAll] = useState<readonly Tag[]>([]);
  useEffect(() => {
    // Without a list, tags can be added to the entry.
    void fetchTags(account)
      .catch(logRejected)
      .then((tags) => setAll(sortByName(tags ?? readSavedTags(account) ?? [])));
  }, [account]);
  const add = (tag: Tag) => onChange(sortByName([...chosen, tag]));

  async function create(name: string) {
    const tag = await call('POST /category', { body: { category_name: name } });
    setAll((before) => sortByName([...before, tag]));
    add(tag);
  }

  const offered = all.filter(({ id }) => !chosen.some((tag) => tag.id === id)).slice(0, MAX_OFFERED);
  return (
    <section aria-label="Tags" className="flex flex-col gap-1.5">
      <p aria-hidden="true" className="text-14 font-semibold text-ink">
        Tags
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <TagFields
          tags={chosen}
          all={all}
          onAdd={add}
          onCreate={create}
          onRemove={(tag) => onChange(chosen.filter(({ id }) => id !== tag.id))}
        />
        {offered.map((tag) => (
          <button
            key={tag.id}
            type="button"
            aria-label={`Add tag ${tag.name}`}
            onClick={() => add(tag)}
            className="inline-flex min-h-11 max-w-full items-center rounded-pill border border-dashed border-line-strong px-3.5 hover:bg-surface"
          >
            <TagDot name={tag.name} color={tag.color} />
          </button>
        ))}
      </div>
    </section>
  );
}
