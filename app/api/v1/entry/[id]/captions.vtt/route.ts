import { endpoint } from '@/lib/api/endpoint';
import { getCaptions } from '@/lib/downloads/contract';
import { transcriptFile } from '@/lib/downloads/service';
import { fileResponse } from '@/lib/http/file-response';

export const GET = endpoint(getCaptions, async ({ user, params }) =>
  fileResponse(await transcriptFile(user.id, params.id, 'vtt')),
);
