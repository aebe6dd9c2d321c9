import { showError } from '@/components/ui/show-error';
import type { OnboardingStep } from '@/lib/account/profile/contract';
import { dismissStep } from '@/lib/account/profile/routes';
import { call } from '@/lib/foundation/contract/shared/client';

/** Remembers that somebody doesn't want to be offered a step again. If that fails, it's only gone from this page. */
export function dismiss(step: OnboardingStep): void {
  call(dismissStep, { body: { step } }).catch(showError);
}
