import { useState } from 'react';
import { toast } from '@/components/ui/toast';
import type { Wish } from '@/components/uploads/queue/queue';
import { toUs } from '@/lib/entries/calendar';
import { checkFields, type FieldErrors, type Typed } from './check-fields';
import { changedOn, recordedOn, titleOf } from './file-date';
import { asVideo } from './video-file';

/** A further file that is going to be uploaded, with a title and a date of its own. */
export interface FurtherFile {
  id: string;
  file: File;
  typed: Typed;
  errors: FieldErrors;
}

/** The files beside the studio's one. Title and date of each are taken from it, to be corrected. */
export function useMoreFiles() {
  const [files, setFiles] = useState<readonly FurtherFile[]>([]);

  async function add(chosen: readonly File[]): Promise<void> {
    for (const one of chosen) {
      const file = await asVideo(one);
      if (!file) {
        toast.error('Please upload a video file.');
        continue;
      }
      const date = (await recordedOn(file)) ?? changedOn(file);
      const typed = { title: titleOf(file.name, date), date: toUs(date) };
      setFiles((before) => [...before, { id: crypto.randomUUID(), file, typed, errors: {} }]);
    }
  }

  const change = (id: string, to: (file: FurtherFile) => FurtherFile) =>
    setFiles((before) => before.map((file) => (file.id === id ? to(file) : file)));

  return {
    files,
    add,
    remove: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    type: (id: string, typed: Partial<Typed>) =>
      change(id, (file) => ({ ...file, typed: { ...file.typed, ...typed }, errors: {} })),
    /** What is to be sent, or null after marking what is wrong. */
    check(): Wish[] | null {
      const wishes: Wish[] = [];
      for (const { id, file, typed } of files) {
        const checked = checkFields(typed);
        if ('said' in checked) wishes.push({ id, file, ...checked.said });
        else change(id, (before) => ({ ...before, errors: checked.errors }));
      }
      return wishes.length === files.length ? wishes : null;
    },
    clear: () => setFiles([]),
  };
}
