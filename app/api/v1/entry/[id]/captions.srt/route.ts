import { endpoint } from '@/lib/api/endpoint';
import { fileResponse } from '@/lib/foundation/http/file-response';
import * as contract from '@/lib/video/downloads/contract';
import { transcriptFile } from '@/lib/video/downloads/service';

export const GET = endpoint(contract.getSubtitles, async ({ user, params }) =>
  fileResponse(await transcriptFile(user.id, params.id, 'srt')),
);
