import { FileVideo } from 'lucide';
import { type DragEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { usePrehydrationInput } from '@/components/ui/prehydration-input';
import { VIDEO_ACCEPT } from './video-accept';

/**
 * Makes an element a drop target, larger than the {@link FileDrop} in it. Only the first dropped file counts.
 * @returns props for the element, and whether a file is over it
 */
export function useDropTarget(enabled: boolean, onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const target = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(enabled);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (enabled && file) onFile(file);
    },
  };
  return { over, target };
}

/**
 * Takes a video by drop or file picker; only the first file counts. After hydration, {@link useDropTarget} handles
 * drops. Before it, the browser does, since the input covers the label.
 */
export function FileDrop({
  file,
  disabled,
  over,
  onChoose,
  onRemove,
  className = '',
  labelClassName,
}: {
  file: File | null;
  disabled: boolean;
  over: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
  className?: string | undefined;
  labelClassName?: string | undefined;
}) {
  function chooseFrom(input: HTMLInputElement) {
    const chosen = input.files?.[0];
    input.value = '';
    if (chosen) onChoose(chosen);
  }
  const input = usePrehydrationInput(chooseFrom);
  if (file)
    return (
      <div className="flex flex-wrap items-center gap-3 rounded-12 border border-line bg-surface p-4">
        <p className="flex min-w-0 flex-1 basis-40 items-center gap-2 text-15">
          <Icon of={FileVideo} className="size-5 shrink-0 text-ink-3" aria-hidden="true" />
          <bdi className="min-w-0 break-words">{file.name}</bdi>
        </p>
        <Button variant="secondary" size="sm" disabled={disabled} onClick={onRemove}>
          Remove File
        </Button>
      </div>
    );
  return (
    <label
      className={`relative flex min-h-13 cursor-pointer items-center justify-center gap-2.5 rounded-pill border border-dashed bg-surface px-5 transition-colors duration-120 has-[:disabled]:cursor-default has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus ${over ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-sunken'} ${className}`}
    >
      <Icon of={FileVideo} className="size-5 shrink-0 text-ink-2" aria-hidden="true" />
      <span className={`leading-tight ${labelClassName ?? ''}`}>
        <span className="block text-15 font-semibold">Choose a video file</span>
        <span className="block text-13 text-ink-2">or drop one here</span>
      </span>
      <input
        ref={input}
        type="file"
        // No "No file chosen" over the label.
        title=""
        accept={VIDEO_ACCEPT}
        disabled={disabled}
        // WebKit's own button in it is wider than the label on a phone, and would widen the page.
        className="absolute inset-0 cursor-pointer overflow-hidden opacity-0 disabled:cursor-default"
        onChange={(event) => chooseFrom(event.target)}
      />
    </label>
  );
}
