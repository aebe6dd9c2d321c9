/** Says why a passkey or provider is off. Only accounts that were merged have no password; a reset gives them one. */
export function disabledReason(hasPassword: boolean): string {
  return hasPassword
    ? 'Turned off when your password was reset'
    : 'Turned off when you started signing in another way';
}
