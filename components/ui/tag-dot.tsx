/** A tag's color and name. The ring keeps a color that's close to the background visible. */
export function TagDot({ name, color }: { name: string; color: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-13 text-ink-2">
      <span
        className="size-2.5 shrink-0 rounded-pill ring-1 ring-line-strong/60"
        style={{ backgroundColor: color }}
      />
      <span className="truncate">{name}</span>
    </span>
  );
}
