import { ProviderError } from '@/components/accounts/provider-error';
import { Activity } from '@/components/settings/activity';
import { ChangeEmailForm } from '@/components/settings/change-email-form';
import { ChangePasswordForm } from '@/components/settings/change-password-form';
import { Connections } from '@/components/settings/connections';
import { Passkeys } from '@/components/settings/passkeys';
import { Section } from '@/components/settings/section';
import { SessionList } from '@/components/settings/session-list';
import { TwoFactor } from '@/components/settings/two-factor';
import { ButtonLink } from '@/components/ui/button';
import { presentEvent } from '@/lib/audit/present';
import { recentActivity } from '@/lib/audit/service';
import { listIdentities } from '@/lib/identities/service';
import { presentPasskey } from '@/lib/passkeys/present';
import { listPasskeys } from '@/lib/passkeys/service';
import { waysIn } from '@/lib/security/ownership';
import { twoFactorState } from '@/lib/security/two-factor';
import { presentSession } from '@/lib/sessions/present';
import { listSessions, type User } from '@/lib/sessions/service';

export async function SecurityTab({ user, problem }: { user: User; problem?: string | undefined }) {
  const [sessions, twoFactor, passkeys, ways, activity, identities] = await Promise.all([
    listSessions(user.id, user.sessionId),
    twoFactorState(user.id),
    listPasskeys(user.id),
    waysIn(user.id),
    recentActivity(user.id, 10),
    listIdentities(user.id),
  ]);
  const hasPassword = ways.password;
  const factors = { password: hasPassword, code: twoFactor.enabled, passkey: ways.passkeys > 0 };
  const devices = sessions.map(presentSession);
  return (
    <>
      {hasPassword ? (
        <Section title="Password" lead="Changing it signs you out on every other device.">
          <ChangePasswordForm email={user.email} factors={factors} />
        </Section>
      ) : (
        <Section
          title="Password"
          lead="You sign in without one. Setting one by email signs you out everywhere, and turns off your other ways to sign in until you turn them back on."
        >
          <ButtonLink href="/reset_password" variant="secondary" className="self-start">
            Set a password
          </ButtonLink>
        </Section>
      )}
      <Section
        title="Email"
        lead={`You log in with ${user.email}. A new address has to be confirmed before it takes its place.`}
      >
        <ChangeEmailForm factors={factors} />
      </Section>
      <Section
        title="Two-factor login"
        lead="Besides your password, the login asks for a code of an authenticator app on your phone."
      >
        <TwoFactor enabled={twoFactor.enabled} codesLeft={twoFactor.recoveryCodesLeft} factors={factors} />
      </Section>
      <Section
        title="Passkeys"
        lead="Sign in with your finger, your face or the PIN of a device, without a password and without a code."
      >
        <Passkeys
          passkeys={passkeys.map(presentPasskey)}
          suggestedName={devices[0]?.device ?? ''}
          factors={factors}
        />
      </Section>
      {identities.length > 0 && (
        <Section title="Connected accounts" lead="Sign in with an account that you have elsewhere.">
          {problem && <ProviderError error={problem} />}
          <Connections identities={identities} factors={factors} />
        </Section>
      )}
      <Section title="Devices" lead="Where you are signed in. Sign out whatever you do not know.">
        <SessionList sessions={devices} />
      </Section>
      <Section
        title="Recent activity"
        lead="Sign-ins and changes to the security of your account, kept for 90 days."
      >
        <Activity events={activity.map(presentEvent)} />
      </Section>
    </>
  );
}
