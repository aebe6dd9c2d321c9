import type { NextConfig } from 'next';

export default {
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
  // The packages are the project's own, by a link that leaves this folder.
  turbopack: { root: '/' },
} satisfies NextConfig;
