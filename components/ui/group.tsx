import type { ComponentProps } from 'react';

/** A named group of buttons or options. */
export function Group(props: ComponentProps<'div'>) {
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
  return <div {...props} role="group" />;
}
