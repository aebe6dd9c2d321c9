import type { ComponentProps } from 'react';

/**
 * Takes the place of `next/link` in the viewer's build, so that the site's components can be shown there: their paths
 * become addresses after `#`.
 */
function Link({
  href,
  prefetch: _prefetch,
  ...rest
}: ComponentProps<'a'> & { href: string; prefetch?: boolean }) {
  return <a {...rest} href={`#${href}`} />;
}

export default Link;
