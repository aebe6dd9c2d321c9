import { endpoint } from '@/lib/api/endpoint';
import { getText } from '@/lib/downloads/contract';
import { transcriptFile } from '@/lib/downloads/service';
import { fileResponse } from '@/lib/http/file-response';

export const GET = endpoint(getText, async ({ user, params }) =>
  fileResponse(await transcriptFile(user.id, params.id, 'txt')),
);
