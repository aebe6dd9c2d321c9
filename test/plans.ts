import { statementsOf } from '@/bench/statements';
import { db } from '@/db/client';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** The plans of the statements that `work` sends, after running each of them. */
export async function plansOf(read: () => Promise<unknown>): Promise<Plan[]> {
  const statements = await statementsOf(read);
  const plans: Plan[] = [];
  for (const { text, parameters } of statements) {
    const rows = await db().$client.unsafe(
      `explain (analyze, buffers, format json) ${text}`,
      parameters as string[],
    );
    plans.push(rows[0]?.['QUERY PLAN'][0].Plan);
  }
  return plans;
}

/** A plan's nodes, itself first. */
export const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
/** How many blocks were read, in memory or on disk; those of functions and subqueries included. */
export const blocks = (plans: Plan[]) =>
  plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
