import { PLAN_LIMITS, type PlanType } from '@/lib/billing/plans/shared/limits';

const GIGABYTE = 1e9;
const HOUR = 3600;

/** Returns what a plan holds, in numbers that people remember. */
export function planFacts(plan: PlanType): { amount: string; unit: string }[] {
  const { videos, bytes, seconds } = PLAN_LIMITS[plan];
  return [
    { amount: videos.toLocaleString('en-US'), unit: 'videos' },
    { amount: String(seconds / HOUR), unit: 'hours' },
    { amount: `${bytes / GIGABYTE} GB`, unit: 'of storage' },
  ];
}

/** How long each plan lasts somebody who records every evening. `plan-facts.test.ts` checks that it does. */
export const EVENINGS: Record<PlanType, { evenings: number; minutes: number; text: string }> = {
  Free: { evenings: 30, minutes: 6, text: 'A month of evenings, six minutes each.' },
  Basic: { evenings: 366, minutes: 5, text: 'Every evening for a year, five minutes each.' },
  Standard: { evenings: 5 * 366, minutes: 5, text: 'Five years of evenings, five minutes each.' },
};
