import type { IconNode } from 'lucide';
import type { ComponentProps } from 'react';

/** An icon's shapes as markup, made once. */
const shapes = new WeakMap<IconNode, string>();

function shapesOf(icon: IconNode): string {
  const known = shapes.get(icon);
  if (known !== undefined) return known;
  const markup = icon.map(([tag, attributes]) => {
    const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
    return `<${tag} ${written.join(' ')}/>`;
  });
  shapes.set(icon, markup.join(''));
  return markup.join('');
}

/**
 * Draws one of Lucide's icons: `<Icon of={Play} aria-hidden />`. Lucide's own components for React also run in the
 * browser where nothing else of a page does, and are two kilobytes more on every page. The shapes are markup, because each
 * element costs the server as much as a heading does.
 */
export function Icon({ of, ...rest }: Omit<ComponentProps<'svg'>, 'children'> & { of: IconNode }) {
  return (
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
      // biome-ignore lint/security/noDangerouslySetInnerHtml: fixed shapes of a library, no text
      dangerouslySetInnerHTML={{ __html: shapesOf(of) }}
    />
  );
}
