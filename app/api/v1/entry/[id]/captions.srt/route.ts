import { endpoint } from '@/lib/api/endpoint';
import { getSubtitles } from '@/lib/downloads/contract';
import { transcriptFile } from '@/lib/downloads/service';
import { fileResponse } from '@/lib/http/file-response';

export const GET = endpoint(getSubtitles, async ({ user, params }) =>
  fileResponse(await transcriptFile(user.id, params.id, 'srt')),
);
