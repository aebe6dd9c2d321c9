import { endpoint } from '@/lib/api/endpoint';
import { getEntry } from '@/lib/entries/service';
import { plainText } from '@/lib/transcripts/captions';
import { getText } from '@/lib/transcripts/contract';

export const GET = endpoint(getText, async ({ user, params }) => {
  const { transcription } = await getEntry(user.id, params.id);
  return new Response(plainText(transcription.words), {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
});
