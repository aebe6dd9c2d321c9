import { showError } from '@/components/ui/show-error';
import type { OnboardingStep } from '@/lib/account/profile/contract';
import { call } from '@/lib/api/shared/client';

/** Remembers that somebody doesn't want to be offered a step again. If that fails, it's only gone from this page. */
export function dismiss(step: OnboardingStep): void {
  call('POST /onboarding/dismiss', { body: { step } }).catch(showError);
}
