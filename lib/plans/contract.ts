import { z } from 'zod';
import { operation } from '@/lib/contract/operation';
import { PLAN_TYPES } from './limits';

export const planAllowed = operation({
  method: 'GET',
  path: '/plan/allowed',
  summary: 'Get whether the plan has space for another upload.',
  access: 'verified',
  response: z.object({ accountCanUpload: z.boolean() }),
  errors: [],
});

export const planDetails = operation({
  method: 'GET',
  path: '/plan_details',
  summary: 'Get the plan’s limits and current usage (bytes, seconds, videos).',
  access: 'verified',
  response: z.object({
    currentPlan: z.enum(PLAN_TYPES),
    storageLimit: z.int(),
    videoCountLimit: z.int(),
    timeLimit: z.int(),
    storageUse: z.int(),
    timeUse: z.int(),
    videoCount: z.int(),
  }),
  errors: [],
});

export const listPlans = operation({
  method: 'GET',
  path: '/plans',
  summary: 'List the three plans, cheapest first, and how each applies to this account.',
  access: 'verified',
  response: z.object({
    plans: z.array(
      z.object({
        id: z.enum(['free', 'basic', 'standard']),
        planType: z.enum(PLAN_TYPES),
        isCurrentPlan: z.boolean(),
        canDowngrade: z.boolean(),
        isLowerTier: z.boolean(),
        /** How far current usage exceeds a lower plan's limits; empty if it fits. */
        cantDowngradeReason: z.string(),
      }),
    ),
  }),
  errors: [],
});
