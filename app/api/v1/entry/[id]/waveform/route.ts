import { endpoint } from '@/lib/api/endpoint';
import { getWaveform as contract } from '@/lib/previews/contract';
import { getWaveform } from '@/lib/previews/service';

export const GET = endpoint(contract, ({ user, params }) => getWaveform(user.id, params.id));
