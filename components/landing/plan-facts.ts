import { PLAN_LIMITS, type PlanType } from '@/lib/plans/limits';

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
