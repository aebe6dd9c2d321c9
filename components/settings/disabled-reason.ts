/** Why a passkey or a provider is off. Only a merge leaves an account without a password, and a reset gives it one. */
export function disabledReason(hasPassword: boolean): string {
  return hasPassword
    ? 'Turned off when your password was reset'
    : 'Turned off when you started signing in another way';
}
