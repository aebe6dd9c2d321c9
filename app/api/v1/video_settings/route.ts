import { endpoint } from '@/lib/api/endpoint';
import { videoSettings as contract } from '@/lib/account/profile/contract';
import { videoSettings } from '@/lib/account/profile/service';

export const GET = endpoint(contract, () => videoSettings());
