import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';

/**
 * A passkey or a provider, with what's known about it and its buttons.
 * @param disabledFor whether the account has a password, if this is off; only accounts that were merged have none, and a
 * reset gives them one
 */
export function SignInMethodRow<Act extends string>({
  name,
  about,
  disabledFor,
  buttons,
  onAction,
}: {
  name: string;
  about: ReactNode;
  disabledFor: { hasPassword: boolean } | null;
  buttons: readonly { act: Act; label: string; variant: 'secondary' | 'ghost' }[];
  onAction: (act: Act, label: string) => void;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0">
        <p className="text-15 font-semibold break-words">{name}</p>
        {about && <p className="text-14 break-words text-ink-3">{about}</p>}
        {disabledFor && (
          <p className="text-14 text-ink-2">
            {disabledFor.hasPassword
              ? 'Turned off when your password was reset'
              : 'Turned off when you started signing in another way'}
          </p>
        )}
      </div>
      <div className="flex gap-2">
        {buttons.map(({ act, label, variant }) => (
          <Button
            key={act}
            variant={variant}
            size="sm"
            aria-label={`${label} ${name}`}
            onClick={() => onAction(act, label)}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  );
}
