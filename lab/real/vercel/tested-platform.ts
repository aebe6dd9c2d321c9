/**
 * Returns the script that starts a copy of the site on the platform's stand-in, with its arguments; null unless
 * `npm run lab -- real` tests it.
 */
export function testedPlatform(): string[] | null {
  const { VERCEL_PROJECT: project, VERCEL_BWRAP: bwrap } = process.env;
  return project && bwrap ? ['lab/real/vercel/up.ts', project, bwrap] : null;
}
