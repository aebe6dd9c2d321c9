import type { Person } from './person';

const SKIN = { base: '#cb8f68', shade: '#8e563d', line: '#8e563d', lips: '#9a4a44' };

const SHIRTS = {
  green: { base: '#415b53', shade: '#30463f', collar: '#30463f', light: '#8fa79e' },
  red: { base: '#b04f38', shade: '#8c3c2b', collar: '#8c3c2b', light: '#e09a80' },
  blue: { base: '#44587c', shade: '#31415f', collar: '#5d7196', light: '#9db0d0' },
  yellow: { base: '#d9b25f', shade: '#b58d42', collar: '#b58d42', light: '#f4dfa6' },
  plum: { base: '#6d4a68', shade: '#533650', collar: '#533650', light: '#b193ad' },
};

/** Returns the person whose journal it is, as she looks one day. */
export const robin = (
  shirt: keyof typeof SHIRTS,
  hair: 'bob' | 'bun' | 'cap' = 'bob',
  glasses = false,
): Person => ({ hair, hairColor: '#2c211e', skin: SKIN, glasses, shirt: SHIRTS[shirt] });

/** Her father, who reads to her once. */
export const DAD: Person = {
  hair: 'short',
  hairColor: '#8d857c',
  skin: { base: '#d19d78', shade: '#9a644a', line: '#94603f', lips: '#94514a' },
  glasses: true,
  shirt: SHIRTS.blue,
};
