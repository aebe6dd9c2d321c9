import { endpoint } from '@/lib/api/endpoint';
import { getTranscriptData } from '@/lib/downloads/contract';
import { transcriptData } from '@/lib/downloads/service';
import { fileResponse } from '@/lib/http/file-response';

export const GET = endpoint(getTranscriptData, async ({ user, params }) =>
  fileResponse(await transcriptData(user.id, params.id)),
);
