import type { Metadata } from 'next';
import Link from 'next/link';
import { connection } from 'next/server';
import { KeptRecording } from '@/components/account/sign-in/kept-recording';
import {
  keptRecordingId,
  loginPath,
  pathAfterVerifying,
  safeNextPath,
} from '@/components/account/sign-in/safe-next-path';
import { SetupLink } from '@/components/account/sign-in/setup-link';
import { type Invitation, SignupForm } from '@/components/account/sign-in/signup-form';
import { PageHeading } from '@/components/ui/page-heading';
import { LINK } from '@/components/ui/prose';
import {
  findInvitedAddress,
  INVITATION_INVALID,
  INVITATION_NEEDED,
  SIGNUP_CLOSED,
  signupMode,
} from '@/lib/account/invitations/service';
import { readRegisteredCookie } from '@/lib/account/registration/cookies';
import { offersSetup } from '@/lib/account/setup/service';
import { sitePlan } from '@/lib/billing/plans/service';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';
import { latestToday, toIso } from '@/lib/journal/entries/shared/calendar';

// The address may hold an invitation.
export const metadata: Metadata = { title: 'Signup', referrer: 'no-referrer' };

/** Who may sign up with this page: anyone, someone who was invited, or nobody, with the reason. */
async function readInvitation(
  token: string | undefined,
): Promise<{ invitation?: Invitation } | { problem: string }> {
  const mode = signupMode();
  if (mode === 'closed') return { problem: SIGNUP_CLOSED };
  if (token === undefined) return mode === 'open' ? {} : { problem: INVITATION_NEEDED };
  const email = await findInvitedAddress(token);
  if (email !== null) return { invitation: { token, email } };
  return mode === 'open' ? {} : { problem: INVITATION_INVALID };
}

/** Returns the plan that somebody chose on the home page; null if it costs nothing, or nothing does here. */
const chosenPlan = (asked: string | string[] | undefined): PlanType | null =>
  (sitePlan() === null && PLAN_TYPES.find((plan) => plan === asked && PLAN_LIMITS[plan].price > 0)) || null;

/** @param plan the chosen one, if it costs something */
function Heading({ plan, loginHref }: { plan: PlanType | null; loginHref: string }) {
  return (
    <div className="flex flex-col gap-2.5">
      <PageHeading
        lead={
          plan &&
          `You chose ${plan}, $${PLAN_LIMITS[plan].price} a month. Verify your email first. Then you can check the plan again and pay.`
        }
      >
        Start your journal
      </PageHeading>
      <p className="text-15 text-ink-2">
        Already have an account?{' '}
        <Link href={loginHref} className={LINK}>
          Log in
        </Link>
      </p>
    </div>
  );
}

function Agreement() {
  return (
    <p className="text-14 text-ink-2">
      By signing up, you agree to the{' '}
      <a href="/terms" className={LINK}>
        terms
      </a>{' '}
      and the{' '}
      <a href="/privacy" className={LINK}>
        privacy policy
      </a>
      .
    </p>
  );
}

export default async function SignupPage({ searchParams }: PageProps<'/signup'>) {
  // Today is the day of the request, not of the build.
  await connection();
  const { invite, next, correct, plan: asked } = await searchParams;
  const found = await readInvitation(typeof invite === 'string' ? invite : undefined);
  if ('problem' in found) {
    return (
      <>
        <PageHeading>Signup</PageHeading>
        <p className="text-ink-2">{found.problem}</p>
        <p className="text-15 text-ink-2">
          If you already have an account,{' '}
          <Link href="/login" className={LINK}>
            log in
          </Link>
          .
        </p>
        {(await offersSetup()) && <SetupLink />}
      </>
    );
  }
  const registered = correct === undefined ? null : await readRegisteredCookie();
  const plan = chosenPlan(asked);
  const wanted = plan ? `/settings/plan?choose=${plan}` : (next ?? registered?.next);
  const destination = pathAfterVerifying(wanted);
  const keptId = keptRecordingId(destination);
  const form = (
    <SignupForm
      heading={<Heading plan={plan} loginHref={loginPath(safeNextPath(wanted))} />}
      agreement={<Agreement />}
      lastBirthday={toIso(latestToday())}
      next={destination}
      invitation={found.invitation}
      mistyped={registered?.email}
    />
  );
  if (!keptId) return form;
  return (
    <div className="grid gap-7 lg:grid-cols-2 lg:gap-12">
      <KeptRecording id={keptId} />
      <div className="flex min-w-0 flex-col gap-6">{form}</div>
    </div>
  );
}
