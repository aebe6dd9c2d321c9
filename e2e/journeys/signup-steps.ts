import type { Locator, Page } from '@playwright/test';
import { type newAccountDetails, signupFields } from '../accounts';
import { type Input, mouse } from './input-steps';

export type Person = ReturnType<typeof newAccountDetails>;

/** Fills in the six fields of the form that signs up. */
export async function fillSignup(page: Page, person: Person, { enter }: Input = mouse): Promise<void> {
  for (const [label, text] of signupFields(person))
    await enter(page.getByLabel(label, { exact: true }), text);
}

/** Does what a person does, and counts it. @returns the counts, and what counts */
export function startCounting() {
  const count = { clicks: 0, fields: 0 };
  return {
    count,
    click: async (control: Locator) => {
      await control.click();
      count.clicks += 1;
    },
    fill: async (form: Page, person: Person) => {
      await fillSignup(form, person);
      count.fields += 6;
    },
  };
}
