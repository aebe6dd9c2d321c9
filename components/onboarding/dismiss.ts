import { showError } from '@/components/ui/show-error';
import { call } from '@/lib/contract/client';
import type { OnboardingStep } from '@/lib/settings/contract';
import { dismissStep } from '@/lib/settings/routes';

/** Remembers that somebody doesn't want to be offered a step again. If that fails, it's only gone from this page. */
export function dismiss(step: OnboardingStep): void {
  call(dismissStep, { body: { step } }).catch(showError);
}
