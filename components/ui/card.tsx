import type { ComponentProps } from 'react';

/** A box that stands out from the page. */
export function Card({ className = '', ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={`rounded-18 border border-line bg-surface p-5 ${className}`} />;
}
