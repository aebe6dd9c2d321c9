/** Between a popover and its control, and between it and the window's edges, in pixels. */
const GAP = 8;

/** Where a popover goes if there's room: on which side of its control, and at which of its edges. */
export interface Placement {
  side?: 'below' | 'above';
  edge?: 'right' | 'left';
}

/** Keeps a box of this size between the window's edges. If it doesn't fit, its start stays in the window. */
const clamp = (at: number, size: number, windowSize: number) =>
  Math.max(GAP, Math.min(at, windowSize - size - GAP));

/**
 * Places a popover beside a control, on the other side if only that has enough room, and always within the window.
 * @returns the side it's on
 */
export function placeBeside(
  popover: HTMLElement,
  control: Element,
  { side = 'below', edge = 'right' }: Placement = {},
): 'below' | 'above' {
  const at = control.getBoundingClientRect();
  const { style } = popover;
  style.margin = '0';
  // Further right, its text would wrap earlier.
  style.inset = '0 auto auto 0';
  const { offsetWidth, offsetHeight } = popover;
  const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
  const room = { below: height - at.bottom - 2 * GAP, above: at.top - 2 * GAP };
  const other = side === 'below' ? 'above' : 'below';
  const chosen = offsetHeight > room[side] && offsetHeight <= room[other] ? other : side;
  const top = chosen === 'below' ? at.bottom + GAP : at.top - GAP - offsetHeight;
  const left = edge === 'right' ? at.right - offsetWidth : at.left;
  style.inset = `${clamp(top, offsetHeight, height)}px auto auto ${clamp(left, offsetWidth, width)}px`;
  return chosen;
}

/** Places a popover beside a control, also when anything scrolls or either changes its size. @returns what stops that */
export function keepBeside(popover: HTMLElement, control: Element, placement: Placement): () => void {
  const place = () => placeBeside(popover, control, placement);
  const stop = new AbortController();
  const options = { signal: stop.signal, capture: true, passive: true };
  for (const event of ['scroll', 'resize']) window.addEventListener(event, place, options);
  const sizes = new ResizeObserver(place);
  sizes.observe(popover);
  sizes.observe(control);
  place();
  return () => {
    stop.abort();
    sizes.disconnect();
  };
}
