import type { ProviderName } from '@/lib/identities/contract';

export const PROVIDER_LABELS: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };
