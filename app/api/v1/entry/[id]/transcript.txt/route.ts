import { endpoint } from '@/lib/api/endpoint';
import { fileResponse } from '@/lib/foundation/http/file-response';
import { getText } from '@/lib/video/downloads/contract';
import { transcriptFile } from '@/lib/video/downloads/service';

export const GET = endpoint(getText, async ({ user, params }) =>
  fileResponse(await transcriptFile(user.id, params.id, 'txt')),
);
