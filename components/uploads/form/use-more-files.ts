import { useState } from 'react';
import { toast } from '@/components/ui/toast';
import type { UploadRequest } from '@/components/uploads/queue/queue';
import { toUs } from '@/lib/entries/calendar';
import { getModifiedDate, getRecordedDate, titleFromName } from './file-date';
import { type FieldErrors, type FieldValues, validateFields } from './validate-fields';
import { asVideo } from './video-file';

/** A further file that is going to be uploaded, with a title and a date of its own. */
export interface AdditionalFile {
  id: string;
  file: File;
  typed: FieldValues;
  errors: FieldErrors;
}

/** The files beside the studio's one. Title and date of each are taken from it, to be corrected. */
export function useMoreFiles() {
  const [files, setFiles] = useState<readonly AdditionalFile[]>([]);

  async function add(chosen: readonly File[]): Promise<void> {
    for (const one of chosen) {
      const file = await asVideo(one);
      if (!file) {
        toast.error('Please upload a video file.');
        continue;
      }
      const date = (await getRecordedDate(file)) ?? getModifiedDate(file);
      const typed = { title: titleFromName(file.name, date), date: toUs(date) };
      setFiles((before) => [...before, { id: crypto.randomUUID(), file, typed, errors: {} }]);
    }
  }

  const change = (id: string, to: (file: AdditionalFile) => AdditionalFile) =>
    setFiles((before) => before.map((file) => (file.id === id ? to(file) : file)));

  return {
    files,
    add,
    remove: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    type: (id: string, typed: Partial<FieldValues>) =>
      change(id, (file) => ({ ...file, typed: { ...file.typed, ...typed }, errors: {} })),
    /** What is to be sent, or null after marking what is wrong. */
    check(): UploadRequest[] | null {
      const requests: UploadRequest[] = [];
      for (const { id, file, typed } of files) {
        const checked = validateFields(typed);
        if ('values' in checked) requests.push({ id, file, ...checked.values });
        else change(id, (before) => ({ ...before, errors: checked.errors }));
      }
      return requests.length === files.length ? requests : null;
    },
    clear: () => setFiles([]),
  };
}
