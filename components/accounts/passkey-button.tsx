'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';

const load = () => import('./passkey-sign-in');

/** Signs in with a passkey. The code for it comes after the page, as most people do not need it. */
export function PasskeyButton({ next, children }: { next: string; children: ReactNode }) {
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void load().then(({ startPasskeyAutofill }) => startPasskeyAutofill(next));
  }, [next]);
  async function press() {
    setBusy(true);
    if (!(await (await load()).authenticateWithPasskey(next))) setBusy(false);
  }
  return (
    <Button variant="secondary" busy={busy} onClick={press}>
      {children}
    </Button>
  );
}
