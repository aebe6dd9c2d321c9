import { expect, it } from 'vitest';
import { passwordStrength } from './password-meter';

it.each([
  ['short', ''],
  ['short', 'a#9K!x2'],
  ['weak', 'password'],
  ['weak', 'aaaaaaaaaaaaaaaaaaaa'],
  ['weak', 'abcdefghijklmnop'],
  ['weak', '12345678901234567890'],
  ['weak', 'qwertyuiop'],
  ['weak', '12121212'],
  ['fair', 'quietlampsx'],
  ['strong', 'three quiet lamps'],
  ['strong', 'g7#Kq!v2Zw0p'],
])('finds %s: %s', (strength, password) => {
  expect(passwordStrength(password)).toBe(strength);
});
