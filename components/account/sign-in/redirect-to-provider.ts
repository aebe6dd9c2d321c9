import { showError } from '@/components/ui/show-error';
import type { ProviderName } from '@/lib/account/providers/contract';

/**
 * Goes to a provider through next-auth's endpoints. A form would need the provider's site in the content security
 * policy's `form-action`, so this uses fetch.
 * @param next a path of this site to return to
 */
export async function redirectToProvider(
  provider: ProviderName,
  next: string,
): Promise<'leaving' | undefined> {
  try {
    const { csrfToken } = await (await fetch('/api/auth/csrf')).json();
    const body = new URLSearchParams({ csrfToken, callbackUrl: next, json: 'true' });
    const response = await fetch(`/api/auth/signin/${provider}`, { method: 'POST', body });
    window.location.assign((await response.json()).url);
    return 'leaving';
  } catch (error) {
    showError(error);
    return undefined;
  }
}
