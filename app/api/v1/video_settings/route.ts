import { endpoint } from '@/lib/http/endpoint';
import { videoSettings as contract } from '@/lib/settings/contract';
import { videoSettings } from '@/lib/settings/service';

export const GET = endpoint(contract, () => videoSettings());
