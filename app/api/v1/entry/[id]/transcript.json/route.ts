import { endpoint } from '@/lib/api/endpoint';
import { fileResponse } from '@/lib/foundation/http/file-response';
import * as contract from '@/lib/video/downloads/contract';
import { transcriptData } from '@/lib/video/downloads/service';

export const GET = endpoint(contract.getTranscriptData, async ({ user, params }) =>
  fileResponse(await transcriptData(user.id, params.id)),
);
