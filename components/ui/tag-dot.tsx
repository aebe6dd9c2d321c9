import type { CSSProperties } from 'react';

/** A tag's color. The ring keeps a color that's close to the background visible. */
export function ColorDot({ color }: { color: string }) {
  return (
    <span
      className="tag-color size-2.5 shrink-0 rounded-pill ring-1 ring-line-strong/60"
      style={{ '--tag': color } as CSSProperties}
    />
  );
}

/** A tag's color and name. */
export function TagDot({ name, color }: { name: string; color: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-13 text-ink-2">
      <ColorDot color={color} />
      <span dir="auto" className="truncate">
        {name}
      </span>
    </span>
  );
}
