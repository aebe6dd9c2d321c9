const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
];

/** Whether a character only goes on with what the two before it began: aaa, abc, 321, qwe. */
function isPredictable(text: string, at: number): boolean {
  const piece = text.slice(at - 2, at + 1);
  if (piece.length < 3) return false;
  const back = [...piece].reverse().join('');
  return new Set(piece).size === 1 || SEQUENCES.some((run) => run.includes(piece) || run.includes(back));
}

/** How many different characters somebody who guesses has to try, by the kinds that occur. */
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

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong';

/**
 * A hint while somebody types, and no more: the length that is left without runs and repeats, times the bits of a
 * character. It is small on purpose; the server alone has the list of common passwords.
 */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...password];
  if (characters.length < 8) return 'short';
  const lower = password.toLowerCase();
  const telling = characters.filter((_, at) => !isPredictable(lower, at)).length;
  const bits = telling * Math.log2(alphabetSize(password)) * Math.min(1, (new Set(lower).size + 2) / 8);
  if (bits < 50) return 'weak';
  return bits < 68 ? 'fair' : 'strong';
}
