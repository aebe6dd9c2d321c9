import { endpoint } from '@/lib/api/endpoint';
import { getEntry } from '@/lib/entries/service';
import { subRip } from '@/lib/transcripts/captions';
import { getSubtitles } from '@/lib/transcripts/contract';

export const GET = endpoint(getSubtitles, async ({ user, params }) => {
  const { transcription } = await getEntry(user.id, params.id);
  return new Response(subRip(transcription.words), {
    headers: { 'content-type': 'application/x-subrip; charset=utf-8' },
  });
});
