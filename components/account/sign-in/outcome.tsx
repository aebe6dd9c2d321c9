import type { ReactNode } from 'react';
import { FormResult } from '@/components/ui/form-result';

/** An outcome with a paragraph, and what else follows. */
export function Outcome({
  heading,
  text,
  children,
}: {
  heading: string;
  text: ReactNode;
  children?: ReactNode;
}) {
  return (
    <FormResult
      then={
        <>
          <p className="text-ink-2">{text}</p>
          {children}
        </>
      }
    >
      {heading}
    </FormResult>
  );
}
