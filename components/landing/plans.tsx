import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PLAN_LIMITS, PLAN_TYPES, type PlanType } from '@/lib/billing/plans/shared/limits';

const GIGABYTE = 1e9;
const HOUR = 3600;

/** Returns what a plan holds, in numbers that people remember. */
function planFacts(plan: PlanType): { amount: string; unit: string }[] {
  const { videos, bytes, seconds } = PLAN_LIMITS[plan];
  return [
    { amount: videos.toLocaleString('en-US'), unit: 'videos' },
    { amount: String(seconds / HOUR), unit: 'hours' },
    { amount: `${bytes / GIGABYTE} GB`, unit: 'of storage' },
  ];
}

/** How long each plan lasts somebody who records every evening. `plans.test.ts` checks that it does. */
export const EVENINGS: Record<PlanType, { evenings: number; minutes: number; text: string }> = {
  Free: { evenings: 30, minutes: 6, text: 'A month of evenings, six minutes each.' },
  Basic: { evenings: 366, minutes: 5, text: 'Every evening for a year, five minutes each.' },
  Standard: { evenings: 5 * 366, minutes: 5, text: 'Five years of evenings, five minutes each.' },
};

function Plan({ plan, offersSignup }: { plan: PlanType; offersSignup: boolean }) {
  const isFree = plan === 'Free';
  return (
    <li className="flex flex-col gap-5 py-8 md:px-10 md:first:pl-0 md:last:pr-0">
      <h3 className="text-16 font-semibold">{plan}</h3>
      <div className="flex grow flex-col gap-2">
        <p className="flex items-baseline gap-2">
          <span className="heading text-[48px] leading-none tabular-nums">${PLAN_LIMITS[plan].price}</span>
          <span className="text-15 text-ink-2">a month</span>
        </p>
        <p className="max-w-[26ch] font-serif text-[19px]/[1.35] text-balance">{EVENINGS[plan].text}</p>
      </div>
      <ul className="flex flex-col gap-1.5 text-15 text-ink-2">
        {planFacts(plan).map(({ amount, unit }) => (
          <li key={unit}>
            {amount} {unit}
          </li>
        ))}
      </ul>
      {offersSignup && (
        <div className="flex pt-2">
          <ButtonLink
            href={isFree ? '/signup' : `/signup?plan=${plan}`}
            prefetch={false}
            variant={isFree ? 'primary' : 'secondary'}
            className="max-md:w-full"
          >
            {isFree ? 'Start your journal' : `Choose ${plan}`}
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

/** Lists the three plans with their limits, and a button for each. @param offersSignup whether anyone can sign up */
export function Plans({ offersSignup }: { offersSignup: boolean }) {
  return (
    <section aria-labelledby="plans" className="flex flex-col gap-8">
      <div className="flex flex-col gap-2">
        <h2 id="plans" className="heading heading-page">
          Three plans, one journal
        </h2>
        <p className="text-ink-2 text-pretty">
          Transcripts, search, captions, and full export belong to every plan. They differ only in how much
          they hold.
        </p>
      </div>
      <ul className="grid divide-line border-y border-line max-md:divide-y md:grid-cols-3 md:divide-x">
        {PLAN_TYPES.map((plan) => (
          <Plan key={plan} plan={plan} offersSignup={offersSignup} />
        ))}
      </ul>
    </section>
  );
}

/** Says what everybody gets where the site doesn't charge. @param offersSignup whether anyone can sign up */
export function Included({ plan, offersSignup }: { plan: PlanType; offersSignup: boolean }) {
  return (
    <section aria-labelledby="included" className="flex flex-col items-center gap-8">
      <div className="flex flex-col items-center gap-3 text-center">
        <h2 id="included" className="heading heading-page">
          Everything’s included
        </h2>
        <p className="max-w-[60ch] text-ink-2 text-pretty">
          This site doesn’t charge. Every journal comes with transcripts, search, captions, and full export.
        </p>
      </div>
      <Card className="w-full max-w-[820px] p-0">
        <ul className="grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
          {planFacts(plan).map(({ amount, unit }) => (
            <li key={unit} className="flex flex-col items-center gap-1 px-4 py-6">
              <span className="heading text-[32px] tabular-nums">{amount}</span>
              <span className="text-15 text-ink-2">{unit}</span>
            </li>
          ))}
        </ul>
      </Card>
      {offersSignup && (
        <ButtonLink href="/signup" size="lg">
          Start your journal
        </ButtonLink>
      )}
    </section>
  );
}
