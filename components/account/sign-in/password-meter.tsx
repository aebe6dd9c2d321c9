import type { ReactNode } from 'react';
import { type PasswordStrength, passwordStrength } from './password-strength';

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
