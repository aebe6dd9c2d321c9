import { env } from '@/lib/foundation/env';

/** Returns why videos wouldn't be transcribed, in sentences for the operator. Sends no audio. */
export async function findSpeechProblems(timeoutMs: number): Promise<string[]> {
  const { SPEECH_BASE_URL = '', SPEECH_API_KEY } = env();
  const base = SPEECH_BASE_URL.replace(/\/v1$/, '');
  try {
    // Servers that don't list their models answer 404, which also shows that they're there.
    const { status } = await fetch(`${base}/v1/models`, {
      headers: SPEECH_API_KEY ? { authorization: `Bearer ${SPEECH_API_KEY}` } : {},
      signal: AbortSignal.timeout(timeoutMs),
      cache: 'no-store',
    });
    if (status === 401) return ['The speech service rejected SPEECH_API_KEY.'];
    return status >= 500 ? [`The speech service isn’t working: it responded with status ${status}.`] : [];
  } catch {
    return ['The speech service isn’t responding. Start it, or fix SPEECH_BASE_URL.'];
  }
}
