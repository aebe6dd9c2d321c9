/** A row, and how far it is from the top of the screen. */
export interface Anchor {
  id: string;
  top: number;
}

/** What covers the top of the screen, in pixels. */
const COVERED = 64;

const rowOf = (list: HTMLElement, id: string) => list.querySelector<HTMLElement>(`[data-entry="${id}"]`);

/** Returns where a row is. */
export function anchorOf(list: HTMLElement, id: string): Anchor | null {
  const row = rowOf(list, id);
  return row && { id, top: row.getBoundingClientRect().top };
}

/** Returns the first row that's on the screen. */
export function findAnchor(list: HTMLElement): Anchor | null {
  for (const row of list.querySelectorAll<HTMLElement>('[data-entry]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > COVERED) return { id: row.dataset.entry ?? '', top };
  }
  return null;
}

/** Scrolls the page so that a row is where it was. @returns whether it had moved */
export function restoreAnchor(list: HTMLElement, anchor: Anchor): boolean {
  const row = rowOf(list, anchor.id);
  const moved = row ? row.getBoundingClientRect().top - anchor.top : 0;
  if (Math.abs(moved) < 1) return false;
  window.scrollBy({ top: moved, behavior: 'instant' });
  return true;
}
