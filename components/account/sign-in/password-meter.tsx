import type { ReactNode } from 'react';

const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
];

/** Returns whether a character continues a run that the two before it started: aaa, abc, 321, qwe. */
function isPredictable(text: string, at: number): boolean {
  const piece = text.slice(at - 2, at + 1);
  if (piece.length < 3) return false;
  const back = [...piece].reverse().join('');
  return new Set(piece).size === 1 || SEQUENCES.some((run) => run.includes(piece) || run.includes(back));
}

/** Returns how many characters an attacker has to try per position, given the kinds that occur. */
function alphabetSize(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ];
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
}

type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * Estimates a password's strength while it's typed: its length without runs and repeats, times the bits per character.
 * It's small on purpose. Only the server has the list of common passwords.
 */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...password];
  if (characters.length < 8) return 'short';
  const lower = password.toLowerCase();
  const counted = characters.filter((_, at) => !isPredictable(lower, at)).length;
  const bits = counted * Math.log2(alphabetSize(password)) * Math.min(1, (new Set(lower).size + 2) / 8);
  if (bits < 50) return 'weak';
  return bits < 68 ? 'fair' : 'strong';
}

const LEVELS: Record<PasswordStrength, { text: string; bars: number; color: string }> = {
  short: { text: 'Too short', bars: 1, color: 'bg-line-strong' },
  weak: { text: 'Easy to guess', bars: 1, color: 'bg-danger' },
  fair: { text: 'Good', bars: 2, color: 'bg-warn' },
  strong: { text: 'Strong', bars: 3, color: 'bg-ok' },
};

export function PasswordMeter({ password }: { password: string }): ReactNode {
  const { text, bars, color } = LEVELS[passwordStrength(password)];
  return (
    <>
      <span aria-hidden="true" className="grid w-30 grid-cols-3 gap-1">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={`h-1.5 rounded-pill ${bar <= bars ? color : 'bg-line'}`} />
        ))}
      </span>
      <span className="text-14 text-ink-2">
        <span className="sr-only">Password strength: </span>
        {text}
      </span>
    </>
  );
}
