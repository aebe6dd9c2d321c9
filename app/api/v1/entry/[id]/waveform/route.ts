import { endpoint } from '@/lib/api/endpoint';
import { getWaveform as contract } from '@/lib/video/previews/contract';
import { getWaveform } from '@/lib/video/previews/service';

export const GET = endpoint(contract, ({ user, params }) => getWaveform(user.id, params.id));
