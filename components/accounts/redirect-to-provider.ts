import { toast } from '@/components/ui/toast';
import type { ProviderName } from '@/lib/identities/contract';

/**
 * Goes to a provider by next-auth's own endpoints. By script and not by a form, since a form's redirect to another
 * site would need that site in the policy's `form-action`.
 * @param next a path of this site
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
  } catch {
    toast.error('Network Error');
    return undefined;
  }
}
