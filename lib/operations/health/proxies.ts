import { env } from '@/lib/foundation/env';
import { countProxies } from '@/lib/foundation/http/client-address';
import { isSigned, sign } from '@/lib/foundation/job-signature';
import { hasSettings } from '@/lib/foundation/require-env';

/** In the doctor's request its signature, in the site's answer how many proxies were in between. */
const HEADER = 'x-daylight-proxies';
const SIGNED = Buffer.from(HEADER);

/** Returns the headers that ask the site how many proxies a request comes through. Only someone with its secret can. */
export const askForProxies = (): Record<string, string> => ({ [HEADER]: sign(SIGNED, env().AUTH_SECRET[0]) });

/**
 * Returns the headers that answer {@link askForProxies}; none for anybody else, and none where functions run, which don't
 * see connections.
 */
export function answerForProxies(headers: Headers): Record<string, string> {
  if (!hasSettings() || env().SERVERLESS) return {};
  if (!isSigned(SIGNED, headers.get(HEADER), env().AUTH_SECRET)) return {};
  return { [HEADER]: String(countProxies(headers)) };
}

/** Returns what's wrong with TRUSTED_PROXIES, as far as the site's answer tells, in sentences for the operator. */
export function compareProxies(answer: Headers): { problems: string[]; notes?: string[] } {
  const said = answer.get(HEADER);
  const { TRUSTED_PROXIES: trusted } = env();
  const count = Number(said);
  if (said === null || !Number.isInteger(count) || count === trusted) return { problems: [] };
  const passes = `A request from here passes ${count === 0 ? 'no proxy' : count === 1 ? 'one proxy' : `${count} proxies`}`;
  if (trusted === 0) {
    const problem = `${passes} on its way to the site, but TRUSTED_PROXIES is 0. So everybody seems to come from the same address, and shares its limits on logins and sign-ups. Set TRUSTED_PROXIES=${count}.`;
    return { problems: [problem] };
  }
  const note = `${passes} on its way to the site, and TRUSTED_PROXIES is ${trusted}. Set it to how many proxies of yours every visitor passes. With fewer, visitors seem to come from a proxy; with more, they can make up their address.`;
  return { problems: [], notes: [note] };
}
