import { useState } from 'react';
import type { VideoUpload } from '@/components/capture/uploads/queue/video-upload';
import { discardShared, sharedIds } from '@/components/capture/uploads/shared/shared-videos';
import { loadCodePatiently } from '@/components/ui/load-code';
import { showProblem } from '@/components/ui/show-error';
import type { FileLimits } from '@/lib/billing/plans/shared/file-limits';
import { formatUsDate } from '@/lib/journal/entries/shared/calendar';
import { type FieldErrors, type FieldValues, validateFields } from './entry-fields';

/** Loads what reads a chosen video, which the page doesn't need to be shown. */
export const loadChosenFile = () => loadCodePatiently(() => import('./chosen-file'));

/** An additional file to upload, with its own title and date. */
interface AdditionalFile {
  id: string;
  file: File;
  typed: FieldValues;
  errors: FieldErrors;
}

/** Manages additional files. Suggests each one's title and date from the file. */
export function useMoreFiles(limits: FileLimits) {
  const [files, setFiles] = useState<readonly AdditionalFile[]>([]);

  async function add(chosen: readonly File[]): Promise<void> {
    const { readChosenFile } = await loadChosenFile();
    for (const one of chosen) {
      const read = await readChosenFile(one, limits);
      if ('problem' in read) {
        showProblem(read.problem);
        continue;
      }
      const { video: file, suggested } = read;
      const typed = { title: suggested.title, date: formatUsDate(suggested.date) };
      const id = sharedIds.get(file) ?? crypto.randomUUID();
      setFiles((before) => [...before, { id, file, typed, errors: {} }]);
    }
  }

  const change = (id: string, to: (file: AdditionalFile) => AdditionalFile) =>
    setFiles((before) => before.map((file) => (file.id === id ? to(file) : file)));

  return {
    files,
    add,
    remove(id: string) {
      const removed = files.find((file) => file.id === id);
      if (removed) void discardShared(removed.file);
      setFiles((before) => before.filter((file) => file.id !== id));
    },
    type: (id: string, typed: Partial<FieldValues>) =>
      change(id, (file) => ({ ...file, typed: { ...file.typed, ...typed }, errors: {} })),
    /** Returns what to upload, or shows what's invalid and returns null. */
    check(): VideoUpload[] | null {
      const uploads: VideoUpload[] = [];
      for (const { id, file, typed } of files) {
        const checked = validateFields(typed);
        if ('values' in checked) uploads.push({ id, file, ...checked.values });
        else change(id, (before) => ({ ...before, errors: checked.errors }));
      }
      return uploads.length === files.length ? uploads : null;
    },
    clear: () => setFiles([]),
  };
}
