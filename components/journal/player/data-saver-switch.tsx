import { useId } from 'react';

/** Whether the small version of a video plays. */
export interface DataSaver {
  isOn: boolean;
  /** What that means, or why it's on. */
  hint: string;
  change: (isOn: boolean) => void;
}

/** Renders the row of the panel that chooses the small version of a video. */
export function DataSaverSwitch({ isOn, hint, change }: DataSaver) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-1 pr-3 pl-3">
      <div>
        <label htmlFor={id}>Data saver</label>
        <p id={`${id}-hint`} className="text-13 text-ink-2">
          {hint}
        </p>
      </div>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={isOn}
        onChange={({ target }) => change(target.checked)}
        className="size-5 cursor-pointer accent-(--accent)"
      />
    </div>
  );
}
