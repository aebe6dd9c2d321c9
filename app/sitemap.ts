import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { env } from '@/lib/foundation/env';
import { READING_PAGES } from '@/lib/foundation/http/pages';

/** Lists what's there for everybody. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  // The settings are those of the run, not of the build.
  await connection();
  return ['/', ...READING_PAGES].map((path) => ({ url: new URL(path, env().APP_URL).href }));
}
