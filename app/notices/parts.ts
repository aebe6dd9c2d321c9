/** Something made by others that Daylight uses, and where its license is. Paths are relative to the project. */
export interface Part {
  name: string;
  /** What Daylight uses it for. */
  purpose: string;
  /** Its license, by SPDX identifier. */
  license: string;
  homepage: string;
  /** The package that it comes from, whose version is shown. */
  package?: string;
  /** The text of its license. Omitted for programs that aren't part of Daylight. */
  text?: string;
  /** Packages that it brings along, each with the text of its license. */
  includes?: Readonly<Record<string, string>>;
}

const licenseText = (name: string) => `app/notices/licenses/${name}.txt`;

const SPEECH: Part[] = [
  {
    name: 'Moonshine tiny',
    purpose: 'Model that turns English speech into text',
    license: 'MIT',
    homepage: 'https://github.com/moonshine-ai/moonshine-js',
    package: '@moonshine-ai/moonshine-js',
    text: licenseText('moonshine'),
  },
  {
    name: 'Silero VAD',
    purpose: 'Model that tells speech from other sounds',
    license: 'MIT',
    homepage: 'https://github.com/snakers4/silero-vad',
    package: '@ricky0123/vad-web',
    text: licenseText('silero-vad'),
  },
  {
    name: 'ONNX Runtime Web',
    purpose: 'Runs the models',
    license: 'MIT',
    homepage: 'https://github.com/microsoft/onnxruntime',
    package: 'onnxruntime-web',
    text: licenseText('onnxruntime'),
  },
  {
    name: 'Libraries in ONNX Runtime Web',
    purpose: 'ONNX, Eigen, Protocol Buffers, Abseil, and others',
    license: 'Apache-2.0 AND BSD-3-Clause AND MIT AND MPL-2.0',
    homepage: 'https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt',
    text: licenseText('onnxruntime-libraries'),
  },
  {
    name: 'llama-tokenizer-js',
    purpose: 'Vocabulary of the speech model',
    license: 'MIT',
    homepage: 'https://github.com/belladoreai/llama-tokenizer-js',
    package: 'llama-tokenizer-js',
    text: 'node_modules/llama-tokenizer-js/LICENSE.md',
  },
  {
    name: 'SoundSwallower',
    purpose: 'Finds when each word was said',
    license: 'BSD-2-Clause AND MIT',
    homepage: 'https://github.com/ReadAlongs/SoundSwallower',
    package: 'soundswallower',
    text: licenseText('soundswallower'),
  },
  {
    name: 'Libraries in SoundSwallower',
    purpose: 'jsmn, Mersenne Twister, and WebRTC’s voice activity detection',
    license: 'BSD-3-Clause AND MIT',
    homepage: 'https://github.com/ReadAlongs/SoundSwallower/tree/main/src',
    text: licenseText('soundswallower-libraries'),
  },
  {
    name: 'CMU Sphinx US English acoustic model',
    purpose: 'What the sounds of English are like',
    license: 'BSD-2-Clause',
    homepage: 'https://cmusphinx.github.io',
    package: 'soundswallower',
    text: licenseText('acoustic-model'),
  },
  {
    name: 'CMU Pronouncing Dictionary',
    purpose: 'How English words sound',
    license: 'BSD-2-Clause',
    homepage: 'https://github.com/cmusphinx/cmudict',
    package: 'soundswallower',
    text: licenseText('cmudict'),
  },
];

/** Returns packages, named with spaces between them, with the text of their license, which is `file` in each. */
const included = (names: string, file = 'LICENSE'): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, `node_modules/${name}/${file}`]));

/** Returns a part that is a package with its license in it. */
const library = (
  name: string,
  from: string,
  purpose: string,
  homepage: string,
  {
    license = 'MIT',
    file = 'LICENSE',
    ...more
  }: Partial<Pick<Part, 'license' | 'includes'>> & { file?: string } = {},
): Part => ({
  name,
  purpose,
  license,
  homepage,
  package: from,
  text: `node_modules/${from}/${file}`,
  ...more,
});

/** What Radix's dialog is made of. */
const DIALOG_PARTS: Record<string, string> = {
  ...included(
    `@radix-ui/primitive @radix-ui/react-compose-refs @radix-ui/react-context @radix-ui/react-dismissable-layer
    @radix-ui/react-focus-guards @radix-ui/react-focus-scope @radix-ui/react-id @radix-ui/react-portal
    @radix-ui/react-presence @radix-ui/react-primitive @radix-ui/react-slot @radix-ui/react-use-callback-ref
    @radix-ui/react-use-controllable-state @radix-ui/react-use-effect-event @radix-ui/react-use-layout-effect
    aria-hidden react-remove-scroll react-style-singleton use-callback-ref use-sidecar`,
  ),
  // The same author's, without a file of its own.
  'react-remove-scroll-bar': 'node_modules/react-remove-scroll/LICENSE',
  ...included('get-nonce detect-node-es'),
  ...included('tslib', 'LICENSE.txt'),
};

const BROWSER: Part[] = [
  library('Next.js', 'next', 'Pages and navigation', 'https://nextjs.org', {
    license: 'MIT AND Apache-2.0',
    file: 'license.md',
    includes: included('@swc/helpers'),
  }),
  library('React', 'react', 'User interface', 'https://react.dev'),
  library('React DOM', 'react-dom', 'User interface', 'https://react.dev', {
    includes: included('scheduler'),
  }),
  library('Radix dialog', '@radix-ui/react-dialog', 'Dialogs', 'https://www.radix-ui.com', {
    license: 'MIT AND 0BSD',
    includes: DIALOG_PARTS,
  }),
  library('DayPicker', '@daypicker/react', 'Calendar', 'https://daypicker.dev', {
    includes: { ...included('react-day-picker'), ...included('date-fns @date-fns/tz', 'LICENSE.md') },
  }),
  library('React-Toastify', 'react-toastify', 'Messages', 'https://fkhadra.github.io/react-toastify/', {
    includes: included('clsx', 'license'),
  }),
  library('Lucide', 'lucide', 'Icons', 'https://lucide.dev', { license: 'ISC' }),
  library('idb', 'idb', 'Recordings stored in the browser', 'https://github.com/jakearchibald/idb', {
    license: 'ISC',
  }),
  library('noble-hashes', '@noble/hashes', 'Checksums of uploads', 'https://paulmillr.com/noble/'),
  library('zip.js', '@zip.js/zip.js', 'Import of ZIP files', 'https://gildas-lormeau.github.io/zip.js/', {
    license: 'BSD-3-Clause',
  }),
  library('p-limit', 'p-limit', 'Pictures of imported videos', 'https://github.com/sindresorhus/p-limit', {
    file: 'license',
    includes: included('yocto-queue', 'license'),
  }),
  library('SimpleWebAuthn', '@simplewebauthn/browser', 'Passkeys', 'https://simplewebauthn.dev', {
    file: 'LICENSE.md',
  }),
];

const TYPEFACES: Part[] = [
  {
    name: 'Figtree',
    purpose: 'Typeface of the interface',
    license: 'OFL-1.1',
    homepage: 'https://github.com/erikdkennedy/figtree',
    text: 'app/fonts/figtree-OFL.txt',
  },
  {
    name: 'Literata',
    purpose: 'Typeface of headings and transcripts',
    license: 'OFL-1.1',
    homepage: 'https://github.com/googlefonts/literata',
    text: 'app/fonts/literata-OFL.txt',
  },
];

const SERVER: Part[] = [
  {
    name: 'FFmpeg',
    purpose:
      'Prepares videos for playback. A separate program on the server, which never reaches your browser',
    license: 'LGPL-2.1-or-later, GPL-2.0-or-later, or GPL-3.0-or-later, depending on how it was built',
    homepage: 'https://ffmpeg.org/legal.html',
  },
];

/** What the notices page lists, by section. */
export const SECTIONS: readonly { title: string; parts: readonly Part[] }[] = [
  { title: 'Transcription', parts: SPEECH },
  { title: 'In your browser', parts: BROWSER },
  { title: 'Typefaces', parts: TYPEFACES },
  { title: 'On the server', parts: SERVER },
];

/** Returns the packages of a part, its own first. */
export const packagesOf = ({ package: own, includes = {} }: Part): string[] => [
  ...(own ? [own] : []),
  ...Object.keys(includes),
];

const textsOf = ({ text, includes = {} }: Part): string[] => [
  ...(text ? [text] : []),
  ...Object.values(includes),
];

/** Every file that the notices page reads. A build has to include them, since nothing imports them. */
export const NOTICE_FILES: readonly string[] = [
  ...new Set(
    SECTIONS.flatMap(({ parts }) => parts).flatMap((part) => [
      ...packagesOf(part).map((name) => `node_modules/${name}/package.json`),
      ...textsOf(part),
    ]),
  ),
];
