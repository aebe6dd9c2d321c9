import type { MetadataRoute } from 'next';
import { connection } from 'next/server';
import { env } from '@/lib/foundation/env';
import { READING_PAGES } from '@/lib/foundation/http/pages';

/** Asks search engines to list what's there for everybody. Journals are behind a session anyway. */
export default async function robots(): Promise<MetadataRoute.Robots> {
  // The settings are those of the run, not of the build.
  await connection();
  const { APP_URL } = env();
  const allow = ['/$', '/signup$', ...READING_PAGES, '/pictures/', '/sample/', '/_next/static/'];
  return { rules: { userAgent: '*', allow, disallow: '/' }, sitemap: `${APP_URL}/sitemap.xml` };
}
