import Link from 'next/link';
import type { ComponentProps } from 'react';
import { Spinner } from './spinner';

interface ButtonStyle {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'rec';
  /** sm and md are 44 px high (sm is narrower, with smaller text). lg is 52 px high. */
  size?: 'sm' | 'md' | 'lg';
}

const VARIANTS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'bg-danger text-on-danger hover:opacity-90',
  rec: 'bg-rec text-on-rec hover:opacity-90',
};

const SIZES = {
  sm: 'min-h-11 px-3.5 text-14',
  md: 'min-h-11 px-[18px] text-15',
  lg: 'min-h-13 px-6 text-15',
};

function buttonClass({ variant = 'primary', size = 'md' }: ButtonStyle, more = '') {
  return `inline-flex items-center justify-center gap-2 rounded-pill text-center font-semibold no-underline transition-colors duration-120 disabled:pointer-events-none disabled:opacity-55 aria-disabled:cursor-default ${VARIANTS[variant]} ${SIZES[size]} ${more}`;
}

interface ButtonProps extends ButtonStyle, ComponentProps<'button'> {
  /** Shows a spinner and ignores presses. The button stays focusable, so the keyboard doesn't lose its place. */
  busy?: boolean;
}

export function Button({ variant, size, busy, className, children, type, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      className={buttonClass({ variant, size }, className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {/* Apart, since the spinner comes before what may be text. */}
      <span className="contents">{children}</span>
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: ButtonStyle & ComponentProps<typeof Link>) {
  return <Link {...rest} className={buttonClass({ variant, size }, className)} />;
}
