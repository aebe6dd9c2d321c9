'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/http/client';
import type { IdentitySummary, ProviderName } from '@/lib/identities/contract';
import { proofOf } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';

const NAMES: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };

/** Connects a provider, or disconnects it. */
function ConnectionForm({
  identity: { provider, email },
  factors,
  onDone,
}: {
  identity: IdentitySummary;
  factors: Factors;
  onDone: () => void;
}) {
  const router = useRouter();
  const connected = email !== null;
  const { form, busy, errors } = useForm(async (values) => {
    await api('POST', `/identities/${provider}/${connected ? 'disconnect' : 'connect'}`, {
      body: await proofOf(values),
    });
    if (!connected) {
      const { startAtProvider } = await import('@/components/accounts/start-at-provider');
      return startAtProvider(provider, '/settings?tab=security');
    }
    toast.success(`${NAMES[provider]} is disconnected.`);
    onDone();
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <StepUpFields {...{ factors, errors }} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={connected ? 'danger' : 'primary'}>
          {connected ? 'Disconnect' : 'Connect'} {NAMES[provider]}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The providers of this site, each to be connected or disconnected. */
export function Connections({ identities, factors }: { identities: IdentitySummary[]; factors: Factors }) {
  const [open, setOpen] = useState<IdentitySummary>();
  if (open) return <ConnectionForm identity={open} {...{ factors }} onDone={() => setOpen(undefined)} />;
  return (
    <ul className="flex flex-col">
      {identities.map((identity) => {
        const name = NAMES[identity.provider];
        const action = identity.email === null ? 'Connect' : 'Disconnect';
        return (
          <li
            key={identity.provider}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="text-15 font-semibold">{name}</p>
              <p className="text-14 break-words text-ink-3">{identity.email ?? 'Not connected'}</p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`${action} ${name}`}
              onClick={() => setOpen(identity)}
            >
              {action}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
