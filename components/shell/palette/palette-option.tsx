import Link from 'next/link';
import type { ComponentProps, MouseEvent } from 'react';

const OPTION =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-12 px-3 py-2 text-left text-15 text-ink -outline-offset-2 aria-selected:bg-accent-soft aria-selected:text-accent-ink';

/**
 * One thing to choose. What opens a page is a link, so that it can be opened in another tab, and so that a recording asks
 * before it's left.
 */
export function PaletteOption({
  href,
  onPoint,
  onChoose,
  ...option
}: Pick<ComponentProps<'button'>, 'id' | 'aria-selected' | 'children'> & {
  href: string | null;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const shared = {
    ...option,
    role: 'option',
    tabIndex: -1,
    // The focus stays in the text box, whose keys move through the list.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onPointerMove: option['aria-selected'] ? undefined : onPoint,
    onClick: onChoose,
    className: OPTION,
  };
  return href === null ? (
    <button type="button" {...shared} />
  ) : (
    <Link href={href} prefetch={false} {...shared} />
  );
}
