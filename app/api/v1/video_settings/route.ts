import * as contract from '@/lib/account/profile/contract';
import { videoSettings } from '@/lib/account/profile/service';
import { endpoint } from '@/lib/api/endpoint';

export const GET = endpoint(contract.videoSettings, () => videoSettings());
