import type { PlanType } from '@/lib/billing/plans/shared/limits';

/** Returns the address of Plan Details with the plan selection open and the button of this plan focused. */
export const planCheckoutPath = (plan: PlanType): string => `/settings/plan?choose=${plan}`;
