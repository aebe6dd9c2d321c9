import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const checkSetupCode: Route<typeof contract.checkSetupCode> = { method: 'POST', path: '/setup/check' };

export const setUp: Route<typeof contract.setUp> = { method: 'POST', path: '/setup' };
