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

/** Returns a part that is a package with its license in it. */
const library = (
  name: string,
  from: string,
  purpose: string,
  homepage: string,
  { license = 'MIT', file = 'LICENSE' } = {},
): Part => ({ name, purpose, license, homepage, package: from, text: `node_modules/${from}/${file}` });

const BROWSER: Part[] = [
  library('Next.js', 'next', 'Pages and navigation', 'https://nextjs.org', { file: 'license.md' }),
  library('React', 'react', 'User interface', 'https://react.dev'),
  library('React DOM', 'react-dom', 'User interface', 'https://react.dev'),
  library('Radix dialog', '@radix-ui/react-dialog', 'Dialogs', 'https://www.radix-ui.com'),
  library('DayPicker', '@daypicker/react', 'Calendar', 'https://daypicker.dev'),
  library('React-Toastify', 'react-toastify', 'Messages', 'https://fkhadra.github.io/react-toastify/'),
  library('Lucide', 'lucide-react', 'Icons', 'https://lucide.dev', { license: 'ISC' }),
  library('idb', 'idb', 'Recordings stored in the browser', 'https://github.com/jakearchibald/idb', {
    license: 'ISC',
  }),
  library('noble-hashes', '@noble/hashes', 'Checksums of uploads', 'https://paulmillr.com/noble/'),
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
    purpose: 'Prepares videos for playback. A separate program on the server',
    license: 'LGPL-2.1-or-later, or GPL-2.0-or-later with some of its parts',
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

/** Every file that the notices page reads. A build has to include them, since nothing imports them. */
export const NOTICE_FILES: readonly string[] = [
  ...new Set(
    SECTIONS.flatMap(({ parts }) => parts).flatMap((part) => [
      ...(part.package ? [`node_modules/${part.package}/package.json`] : []),
      ...(part.text ? [part.text] : []),
    ]),
  ),
];
