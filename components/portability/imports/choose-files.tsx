import { FolderOpen } from 'lucide';
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { showProblem } from '@/components/ui/show-error';
import { type ChosenFiles, readDrop, readHandles, readInput } from './chosen-files';

const UNREADABLE = 'These files can’t be read. Check that you can open them, then try again.';

/**
 * Takes files by picker or by drop. The browser's own pickers have handles where it has them, which can be read again after
 * a reload.
 * @returns functions that open pickers, the inputs to render for them, props for an element to drop files on, and whether
 * some are over it
 */
export function useFilePickers(onChoose: (chosen: ChosenFiles) => void) {
  const [isOver, setIsOver] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);

  async function run(choose: () => Promise<ChosenFiles>): Promise<void> {
    try {
      onChoose(await choose());
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      // The person closed the picker.
      if (error.name !== 'AbortError') showProblem(UNREADABLE);
    }
  }

  function openFiles() {
    const { showOpenFilePicker } = window;
    if (!showOpenFilePicker) return fileInput.current?.click();
    void run(async () => readHandles(await showOpenFilePicker({ multiple: true })));
  }

  function openFolder() {
    const { showDirectoryPicker } = window;
    if (!showDirectoryPicker) return folderInput.current?.click();
    void run(async () => readHandles([await showDirectoryPicker()]));
  }

  const onInput = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const chosen = readInput(input);
    input.value = '';
    if (chosen.files.length > 0) onChoose(chosen);
  };
  const inputs = (
    <>
      <input ref={fileInput} multiple aria-label="Files to import" type="file" hidden onChange={onInput} />
      <input
        ref={folderInput}
        // React has no type for the attribute that makes an input take a folder.
        {...{ webkitdirectory: '' }}
        aria-label="Folder to import"
        type="file"
        hidden
        onChange={onInput}
      />
    </>
  );
  const target = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setIsOver(false);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsOver(false);
      void run(() => readDrop(event.dataTransfer));
    },
  };
  return { openFiles, openFolder, inputs, target, isOver };
}

/** Keeps files that are dropped outside a drop zone from replacing this page, as browsers do by default. */
export function useStrayDrops(): void {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
}

const SOURCES = [
  [
    'Folders and files',
    'Choose a folder with all its subfolders, or any number of videos. One-second-a-day clips work, too.',
  ],
  [
    'Google Photos',
    'Select all your Google Takeout ZIP files at once, or the unzipped folder. Your videos keep their dates and descriptions.',
  ],
  ['Day One', 'Choose the ZIP from File → Export → JSON. Your videos keep their text and tags.'],
  [
    'Daylight',
    'Choose a ZIP you downloaded from Daylight, with this account or another. Nothing is added twice.',
  ],
] as const;

/** Takes what a person wants to import, by picker or by drop. */
export function ChooseFiles({ onChoose }: { onChoose: (chosen: ChosenFiles) => void }) {
  const { openFiles, openFolder, inputs, target, isOver } = useFilePickers(onChoose);
  return (
    <div className="flex flex-col gap-6">
      <div
        {...target}
        className={`flex flex-col items-center gap-4 rounded-18 border border-dashed px-5 py-10 text-center transition-colors duration-120 ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'}`}
      >
        <Icon of={FolderOpen} className="size-8 text-ink-3" aria-hidden="true" />
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={openFolder}>Choose a folder</Button>
          <Button variant="secondary" onClick={openFiles}>
            Choose files
          </Button>
        </div>
        <p className="text-14 text-balance text-ink-2">
          Or drop folders, videos, or ZIP files here. You’ll see every date before anything is sent.
        </p>
        {inputs}
      </div>
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {SOURCES.map(([name, what]) => (
          <div key={name} className="flex flex-col gap-1">
            <dt className="text-15 font-semibold">{name}</dt>
            <dd className="text-14 text-pretty text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
