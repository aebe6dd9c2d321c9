'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { ProviderName } from '@/lib/identities/contract';

/** Signs in at a provider; its code is loaded when it is pressed. */
export function ProviderButton({
  provider,
  next,
  children,
}: {
  provider: ProviderName;
  next: string;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  async function press() {
    setBusy(true);
    const { redirectToProvider } = await import('./redirect-to-provider');
    if (!(await redirectToProvider(provider, next))) setBusy(false);
  }
  return (
    <Button variant="secondary" busy={busy} onClick={press}>
      {children}
    </Button>
  );
}
