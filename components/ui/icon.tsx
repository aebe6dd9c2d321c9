import type { IconNode } from 'lucide';
import type { ComponentProps } from 'react';

/** Each icon's shapes as markup. The same object each time, since React writes another one again, even if it's equal. */
const shapes = new WeakMap<IconNode, { __html: string }>();

function shapesOf(icon: IconNode): { __html: string } {
  const known = shapes.get(icon);
  if (known) return known;
  const markup = icon.map(([tag, attributes]) => {
    const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
    return `<${tag}${pairs.join('')}/>`;
  });
  const written = { __html: markup.join('') };
  shapes.set(icon, written);
  return written;
}

/**
 * Draws one of Lucide's icons: `<Icon of={Play} aria-hidden />`. Lucide's own components for React also run in the
 * browser where nothing else of a page does, and are two kilobytes more on every page. The shapes are markup, because each
 * element costs the server as much as a heading does.
 */
export function Icon({ of, ...rest }: Omit<ComponentProps<'svg'>, 'children'> & { of: IconNode }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: fixed shapes of a library, no text
      dangerouslySetInnerHTML={shapesOf(of)}
    />
  );
}
