import type { ProviderName } from '@/lib/account/providers/contract';

export const PROVIDER_LABELS: Record<ProviderName, string> = { google: 'Google', github: 'GitHub' };
