'use client';

import { usePathname } from 'next/navigation';
import { useKeptGuard } from './use-kept-guard';

/**
 * Protects what's kept on this device from whoever uses it after its owner's session. See {@link useKeptGuard}.
 * @param account null if nobody is signed in; undefined if that's unknown
 */
export function KeptGuard({ account }: { account: string | null | undefined }) {
  // A page whose session was over may lead there without a full page load.
  const isAtLogin = usePathname() === '/login';
  useKeptGuard(account === null || isAtLogin);
  return null;
}
