import { endpoint } from '@/lib/api/endpoint';
import { videoSettings as contract } from '@/lib/settings/contract';
import { videoSettings } from '@/lib/settings/service';

export const GET = endpoint(contract, () => videoSettings());
