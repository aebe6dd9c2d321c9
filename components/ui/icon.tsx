import type { IconNode } from 'lucide';
import { type ComponentProps, createElement } from 'react';

/**
 * Draws one of Lucide's icons: `<Icon of={Play} aria-hidden />`. Lucide's own components for React also run in the
 * browser where nothing else of a page does, and are two kilobytes more on every page.
 */
export function Icon({ of, ...rest }: ComponentProps<'svg'> & { of: IconNode }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named, or hidden, by who uses it
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      {of.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
