import type { Route } from '@/lib/foundation/contract/shared/client';
import type * as contract from './contract';

export const getWaveform: Route<typeof contract.getWaveform> = { method: 'GET', path: '/entry/:id/waveform' };
