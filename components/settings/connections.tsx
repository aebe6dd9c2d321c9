'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useForm } from '@/components/ui/use-form';
import { api } from '@/lib/contract/client';
import type { IdentitySummary, ProviderName } from '@/lib/identities/contract';
import { proofOf } from './step-up';
import { type Factors, StepUpFields } from './step-up-fields';
import { turnedOff } from './turned-off';

const NAMES: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };

type Act = 'connect' | 'disconnect' | 'enable';

/** What is done to a connection, and to which. */
interface Wish {
  act: Act;
  /** What its buttons say. */
  label: string;
  provider: ProviderName;
}

const LABELS: Record<Act, string> = { connect: 'Connect', disconnect: 'Disconnect', enable: 'Turn on' };

/** Removing one that is off is what disconnecting is; the word says better what happens to it. */
const labelOf = (act: Act, disabled: boolean) => (disabled && act === 'disconnect' ? 'Remove' : LABELS[act]);

/** Connects a provider, disconnects it, or turns it back on. */
function ConnectionForm({
  wish: { act, label, provider },
  factors,
  onDone,
}: {
  wish: Wish;
  factors: Factors;
  onDone: () => void;
}) {
  const router = useRouter();
  const { form, busy, errors } = useForm(async (values) => {
    await api('POST', `/identities/${provider}/${act}`, { body: await proofOf(values) });
    if (act === 'connect') {
      const { startAtProvider } = await import('@/components/accounts/start-at-provider');
      return startAtProvider(provider, '/settings?tab=security');
    }
    toast.success(
      act === 'enable' ? `${NAMES[provider]} is back on.` : `${NAMES[provider]} is disconnected.`,
    );
    onDone();
    router.refresh();
    return undefined;
  });
  return (
    <form {...form} className="flex flex-col gap-5">
      <StepUpFields {...{ factors, errors }} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy} variant={act === 'disconnect' ? 'danger' : 'primary'}>
          {label} {NAMES[provider]}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The providers of this site, each to be connected, disconnected or turned back on. */
export function Connections({ identities, factors }: { identities: IdentitySummary[]; factors: Factors }) {
  const [wish, setWish] = useState<Wish>();
  if (wish) return <ConnectionForm {...{ wish, factors }} onDone={() => setWish(undefined)} />;
  return (
    <ul className="flex flex-col">
      {identities.map(({ provider, email, disabled }) => {
        const name = NAMES[provider];
        const connected: Act[] = disabled ? ['enable', 'disconnect'] : ['disconnect'];
        const acts: Act[] = email === null ? ['connect'] : connected;
        return (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0"
          >
            <div className="min-w-0">
              <p className="text-15 font-semibold">{name}</p>
              <p className="text-14 break-words text-ink-3">{email ?? 'Not connected'}</p>
              {disabled && <p className="text-14 text-ink-2">{turnedOff(factors.password)}</p>}
            </div>
            <div className="flex gap-2">
              {acts.map((act, index) => {
                const label = labelOf(act, disabled);
                return (
                  <Button
                    key={act}
                    variant={index === 0 ? 'secondary' : 'ghost'}
                    size="sm"
                    aria-label={`${label} ${name}`}
                    onClick={() => setWish({ act, label, provider })}
                  >
                    {label}
                  </Button>
                );
              })}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
