import type { ComponentProps } from 'react';

/** A raised sheet of the page's surface. */
export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`rounded-18 border border-line bg-surface p-5 ${className}`} />;
}
