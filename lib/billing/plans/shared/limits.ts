export const PLAN_TYPES = ['Free', 'Basic', 'Standard'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

/** The plans by the ids that clients know them by. */
export const PLAN_IDS = { free: 'Free', basic: 'Basic', standard: 'Standard' } as const;

/** What each plan costs a month in dollars and holds: videos, storage in bytes (of the sources), time in seconds. */
export const PLAN_LIMITS: Record<
  PlanType,
  { price: number; videos: number; bytes: number; seconds: number }
> = {
  Free: { price: 0, videos: 30, bytes: 5e9, seconds: 10_800 },
  Basic: { price: 5, videos: 400, bytes: 50e9, seconds: 126_000 },
  Standard: { price: 10, videos: 2000, bytes: 250e9, seconds: 612_000 },
};
