import {
  type CORSRule,
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
} from '@aws-sdk/client-s3';
import { bucket, callStorage } from './storage';
import { storageStatusOf } from './storage-errors';

/** Returns a list of rules, which is empty where none has been set. */
async function listRules<T>(asked: Promise<T[] | undefined>): Promise<T[]> {
  try {
    return (await asked) ?? [];
  } catch (error) {
    if (storageStatusOf(error) === 404) return [];
    throw error;
  }
}

/** Returns the bucket's CORS rules. @throws AppError `unavailable` if storage doesn't tell, or doesn't have any */
export function readCorsRules(): Promise<CORSRule[]> {
  const get = new GetBucketCorsCommand({ Bucket: bucket() });
  return listRules(
    callStorage((client, options) => client.send(get, options)).then(({ CORSRules }) => CORSRules),
  );
}

/** Returns the bucket's lifecycle rules. @throws AppError `unavailable` if storage doesn't tell, or doesn't have any */
export function readLifecycleRules(): Promise<LifecycleRule[]> {
  const get = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket() });
  return listRules(callStorage((client, options) => client.send(get, options)).then(({ Rules }) => Rules));
}
