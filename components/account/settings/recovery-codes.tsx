'use client';

import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';

/** Shows the recovery codes, this one time only. Takes the focus, since it replaces the form that asked for them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`;
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={ref} tabIndex={-1} className="text-17 font-semibold focus:outline-none">
        Save your recovery codes
      </h3>
      <p className="text-15 text-ink-2">
        Each one works once, for when you don’t have your authenticator app. They won’t be shown again.
      </p>
      <ul className="grid gap-x-6 gap-y-1 rounded-12 bg-sunken p-4 font-mono text-15 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <a
          href={file}
          download="daylight-recovery-codes.txt"
          className="inline-flex min-h-11 items-center rounded-pill border border-line-strong bg-surface px-[18px] text-15 font-semibold hover:bg-sunken"
        >
          Download
        </a>
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  );
}
