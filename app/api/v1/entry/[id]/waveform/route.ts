import { endpoint } from '@/lib/api/endpoint';
import * as contract from '@/lib/video/previews/contract';
import { getWaveform } from '@/lib/video/previews/service';

export const GET = endpoint(contract.getWaveform, ({ user, params }) => getWaveform(user.id, params.id));
