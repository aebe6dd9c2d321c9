import type { Page } from '@playwright/test';
import type { newAccountDetails } from '../accounts';

export type Person = ReturnType<typeof newAccountDetails>;

/** Fills in the six fields of the form that signs up. */
export async function fillSignup(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Gender').selectOption(person.gender);
  await page.getByLabel('Date of birth').fill(person.dateOfBirth);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
}
