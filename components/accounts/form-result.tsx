'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** What came of a form that it replaces; it takes the focus, so that it is read out and the keyboard goes on here. */
export function FormResult({ children, then }: { children: ReactNode; then?: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div className="flex flex-col items-start gap-5">
      <h1 ref={ref} tabIndex={-1} className="heading text-[24px]/[1.25] focus:outline-none">
        {children}
      </h1>
      {then}
    </div>
  );
}
