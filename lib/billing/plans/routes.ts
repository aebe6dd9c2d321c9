import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const planDetails: Route<typeof contract.planDetails> = { method: 'GET', path: '/plan_details' };

export const listPlans: Route<typeof contract.listPlans> = { method: 'GET', path: '/plans' };
