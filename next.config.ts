import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NextConfig } from 'next';
import { NOTICE_FILES } from './app/notices/parts';
import { API_CSP } from './lib/foundation/http/api-csp';
import { HOST_PREFIX, SESSION_COOKIES } from './lib/foundation/http/cookie-names';
import { DEFAULT_CSP } from './lib/foundation/http/default-csp';
import { SPEECH_CSP } from './lib/foundation/http/speech-csp';
import { WORKER_FILE } from './lib/foundation/service-worker-file';
import { VIEWER_FILES, VIEWER_FOLDER } from './lib/portability/exports/viewer-files';
import { SPEECH_FILES } from './lib/video/speech/files';

/**
 * Headers that are the same for every answer and every address. On https, Strict-Transport-Security is set at run time, as
 * is the Content-Security-Policy of pages, with its nonce.
 */
const headers = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  {
    key: 'Permissions-Policy',
    value: 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=(), browsing-topics=()',
  },
];

/** Every path of these files has a hash of its content. */
const speechHeaders = [
  { key: 'Content-Security-Policy', value: SPEECH_CSP },
  { key: 'Cache-Control', value: 'public, max-age=31536000, immutable' },
];

/** Returns what `scripts/build-speech.ts` has built; nothing if the site isn't being built or run. */
function browserSpeech(): string {
  try {
    return readFileSync('build/speech/browser.json', 'utf8');
  } catch {
    return '';
  }
}

/** Names this build, also to the processes that `next build` starts, which read this file again. */
function buildStamp(): string {
  process.env['BUILD_STAMP'] ??= randomUUID();
  return process.env['BUILD_STAMP'];
}

/** What jobs run besides the bundle: they find it at run time, which tracing can't see. */
const JOB_TOOLS = [
  './lib/video/media/wasm-runner.mjs',
  './node_modules/@ffmpeg/core/package.json',
  './node_modules/@ffmpeg/core/dist/umd/*',
  './node_modules/ffmpeg-static/**/*',
  './build/speech/worker.mjs',
  ...Object.values(SPEECH_FILES).map((path) => `./${path}`),
  ...VIEWER_FILES.map((path) => `./${VIEWER_FOLDER}/${path}`),
];

/** Every cookie that a session may have. */
const sessionCookies = Object.values(SESSION_COOKIES)
  .flatMap((name) => [name, HOST_PREFIX + name])
  .map((key) => ({ type: 'cookie' as const, key }));

export default {
  // A folder that runs without node_modules: .next/standalone.
  ...(process.env['BUILD_STANDALONE'] === '1' && { output: 'standalone' as const }),
  outputFileTracingIncludes: {
    '/api/inngest': JOB_TOOLS,
    '/sw.js': [`./${WORKER_FILE}`],
    '/notices': NOTICE_FILES.map((path) => `./${path}`),
  },
  env: { BROWSER_SPEECH: browserSpeech(), BUILD_STAMP: buildStamp() },
  poweredByHeader: false,
  // The links in mails end with a slash and API calls do not: both are answered where they are, without a bounce.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ['@node-rs/argon2', 'pino', 'postgres', 'inngest', 'rate-limiter-flexible'],
  // Pictures are private, and an optimizer would cache them for others. So nothing uses next/image, and its endpoint, which
  // fetches and scales what it's told to, is off.
  images: { unoptimized: true },
  // `npm run lint` checks the types, of the tests too; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  rewrites: async () => ({
    // Visitors get the landing page without the dashboard's scripts, and the cards come without the timeline's.
    beforeFiles: [
      { source: '/', missing: sessionCookies, destination: '/landing' },
      {
        source: '/journals',
        has: [{ type: 'query', key: 'view', value: 'timeline' }],
        destination: '/journals/timeline',
      },
    ],
    // Asked for by name where a page names no icon.
    afterFiles: [{ source: '/favicon.ico', destination: '/icon.svg' }],
    fallback: [],
  }),
  headers: async () => [
    { source: '/:path*', headers },
    // Middleware and the rules below replace it. The service worker's own policy couldn't.
    {
      source: '/((?!sw\\.js$).*)',
      headers: [{ key: 'Content-Security-Policy', value: DEFAULT_CSP }],
    },
    { source: '/speech/:path*', headers: speechHeaders },
    // Their files keep their names when they change.
    {
      source: '/(sample|icons|screenshots|pictures)/:path*',
      headers: [{ key: 'Cache-Control', value: 'public, max-age=86400' }],
    },
    { source: '/api/:path*', headers: [{ key: 'Content-Security-Policy', value: API_CSP }] },
  ],
} satisfies NextConfig;
