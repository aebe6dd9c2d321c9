import type { Metadata } from 'next';
import { ChangeEmailForm, ChangePasswordForm } from '@/components/account/settings/credentials-forms';
import { LinkedAccounts } from '@/components/account/settings/linked-accounts';
import { Passkeys } from '@/components/account/settings/passkeys';
import { SessionList } from '@/components/account/settings/session-list';
import { SETTINGS_PAGES } from '@/components/account/settings/settings-pages';
import { TwoFactor } from '@/components/account/settings/two-factor';
import { ProviderError } from '@/components/account/sign-in/provider-error';
import { ButtonLink } from '@/components/ui/button';
import { LocalTime } from '@/components/ui/local-time';
import { Section } from '@/components/ui/section';
import type { ActivityEvent } from '@/lib/account/activity/contract';
import { presentEvent, recentActivity } from '@/lib/account/activity/service';
import { listPasskeys } from '@/lib/account/passkeys/service';
import { listLinkedAccounts } from '@/lib/account/providers/service';
import { findFactors } from '@/lib/account/security/step-up';
import { requireUser } from '@/lib/account/sessions/guards';
import { listSessions } from '@/lib/account/sessions/service';
import { twoFactorState } from '@/lib/account/two-factor/service';

export const metadata: Metadata = { title: SETTINGS_PAGES.security };

function Activity({ events }: { events: ActivityEvent[] }) {
  if (events.length === 0) return <p className="text-15 text-ink-2">No activity yet.</p>;
  return (
    <ul className="flex flex-col">
      {events.map(({ id, what, at, device, network }) => (
        <li key={id} className="border-b border-line py-3 last:border-b-0">
          <p className="text-15">{what}</p>
          <p className="text-14 text-ink-3">
            <LocalTime iso={at} />
            {device && ` · ${device}`}
            {network && ` · ${network}`}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** In the address, `problem` is the error that a provider returned. */
export default async function SecurityPage({ searchParams }: PageProps<'/settings/security'>) {
  const user = await requireUser();
  const { problem } = await searchParams;
  const [sessions, twoFactor, passkeys, factors, activity, accounts] = await Promise.all([
    listSessions(user.id, user.sessionId),
    twoFactorState(user.id),
    listPasskeys(user.id),
    findFactors(user.id),
    recentActivity(user.id, 10),
    listLinkedAccounts(user.id),
  ]);
  return (
    <>
      {factors.password ? (
        <Section title="Password" lead="Changing it signs you out on every other device.">
          <ChangePasswordForm email={user.email} factors={factors} />
        </Section>
      ) : (
        <Section
          title="Password"
          lead="You don’t have one. Setting one by email signs you out everywhere and turns off your other ways to sign in until you turn them back on."
        >
          <ButtonLink href="/reset_password" variant="secondary" className="self-start">
            Set a password
          </ButtonLink>
        </Section>
      )}
      <Section
        title="Email"
        lead={`You log in with ${user.email}. We’ll ask you to confirm a new address before you can use it.`}
      >
        <ChangeEmailForm factors={factors} />
      </Section>
      <Section
        title="Two-factor login"
        lead="When you log in, you’ll enter a code from an authenticator app as well as your password."
      >
        <TwoFactor enabled={twoFactor.enabled} codesLeft={twoFactor.recoveryCodesLeft} factors={factors} />
      </Section>
      <Section
        title="Passkeys"
        lead="Sign in with your fingerprint, face, or device PIN. No password or code needed."
      >
        <Passkeys passkeys={passkeys} suggestedName={sessions[0]?.device ?? ''} factors={factors} />
      </Section>
      {accounts.length > 0 && (
        <Section title="Connected accounts" lead="Sign in with an account you have somewhere else.">
          {typeof problem === 'string' && <ProviderError error={problem} />}
          <LinkedAccounts accounts={accounts} factors={factors} />
        </Section>
      )}
      <Section title="Devices" lead="Where you’re signed in. Sign out of any device you don’t recognize.">
        <SessionList sessions={sessions} />
      </Section>
      <Section title="Recent activity" lead="Sign-ins and security changes from the last 90 days.">
        <Activity events={activity.map(presentEvent)} />
      </Section>
    </>
  );
}
