import { z } from 'zod';
import { operation } from '@/lib/foundation/contract/operation';
import { PLAN_TYPES } from './shared/limits';

export const planAllowed = operation({
  method: 'GET',
  path: '/plan/allowed',
  summary: 'Check for upload space',
  description: 'Tells whether the plan has space for another upload.',
  access: 'verified',
  response: z.object({ accountCanUpload: z.boolean() }),
  errors: [],
});

export const planDetails = operation({
  method: 'GET',
  path: '/plan_details',
  summary: 'Get plan usage',
  description: 'Returns the plan’s limits and what the account uses now, in bytes, seconds, and videos.',
  access: 'verified',
  response: z.object({
    currentPlan: z.enum(PLAN_TYPES).meta({ example: 'Standard' }),
    storageLimit: z.int().meta({ description: 'In bytes.', example: 250_000_000_000 }),
    videoCountLimit: z.int().meta({ example: 2000 }),
    timeLimit: z.int().meta({ description: 'In seconds.', example: 612_000 }),
    storageUse: z.int().meta({ description: 'In bytes, with uploads under way.', example: 6_120_000_000 }),
    timeUse: z.int().meta({ description: 'In seconds.', example: 11_827 }),
    videoCount: z.int().meta({ example: 128 }),
  }),
  errors: [],
});

export const listPlans = operation({
  method: 'GET',
  path: '/plans',
  summary: 'List plans',
  description: 'Returns the three plans, cheapest first, and how each applies to this account.',
  access: 'verified',
  response: z.object({
    plans: z.array(
      z.object({
        id: z.enum(['free', 'basic', 'standard']).meta({ example: 'basic' }),
        planType: z.enum(PLAN_TYPES).meta({ example: 'Basic' }),
        isCurrentPlan: z.boolean().meta({ example: false }),
        canDowngrade: z
          .boolean()
          .meta({ description: 'Whether current usage fits this lower plan.', example: false }),
        isLowerTier: z.boolean(),
        cantDowngradeReason: z.string().meta({
          description: 'How far current usage exceeds a lower plan’s limits; empty if it fits.',
          example: 'You use 62.00 GB; Basic holds 50.00 GB. Delete 12.00 GB first.',
        }),
      }),
    ),
  }),
  errors: [],
});
