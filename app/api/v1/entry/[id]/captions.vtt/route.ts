import { endpoint } from '@/lib/api/endpoint';
import { getEntry } from '@/lib/entries/service';
import { webVtt } from '@/lib/transcripts/captions';
import { getCaptions } from '@/lib/transcripts/contract';

export const GET = endpoint(getCaptions, async ({ user, params }) => {
  const { transcription } = await getEntry(user.id, params.id);
  return new Response(webVtt(transcription.words), {
    headers: { 'content-type': 'text/vtt; charset=utf-8' },
  });
});
