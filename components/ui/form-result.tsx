'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** The outcome that replaces a form. It takes the focus, so screen readers announce it and the keyboard continues here. */
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
