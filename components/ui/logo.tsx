/** A half-lit sun and the name. */
export function Logo() {
  return (
    <span className="inline-flex shrink-0 items-center gap-2.5">
      <span className="size-3.5 shrink-0 rounded-pill bg-linear-to-br from-accent-hover from-40% to-accent to-60%" />
      <span className="heading text-[20px] whitespace-nowrap">Daylight</span>
    </span>
  );
}
