import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/api/shared/client';
import { isBlank } from '@/lib/foundation/shared/clean-text';
import type { Tag } from '@/lib/journal/tags/contract';
import { DEFAULT_TAG_COLOR } from '@/lib/journal/tags/shared/default-color';
import { ColorInput } from './color-input';

/** Adds a tag with a name and a color. Ignores a blank name. */
export function NewTagForm({ onAdded }: { onAdded: (tag: Tag) => void }) {
  const [name, setName] = useState('');
  const [color, setColor] = useState(DEFAULT_TAG_COLOR);
  const [adding, setAdding] = useState(false);

  const early = usePrehydrationInput<HTMLInputElement>((input) => setName(input.value));

  async function add() {
    if (isBlank(name) || adding) return;
    setAdding(true);
    try {
      onAdded(await call('POST /category', { body: { category_name: name, category_color: color } }));
      setName('');
      setColor(DEFAULT_TAG_COLOR);
    } catch (error) {
      showError(error);
    }
    setAdding(false);
  }

  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      className="flex flex-wrap items-center gap-3"
    >
      <input
        ref={early}
        aria-label="Tag name"
        dir="auto"
        placeholder="Tag name..."
        autoComplete="off"
        maxLength={50}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className="control w-full! sm:w-56!"
      />
      <ColorInput name="New tag color" value={color} onChange={setColor} />
      <Button type="submit" busy={adding}>
        Add Tag
      </Button>
    </form>
  );
}
