import { db } from '@/db/client';
import { captureStatements } from './statements';

interface QueryPlan {
  'Node Type': string;
  'Relation Name'?: string;
  'Total Cost': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: QueryPlan[];
}

/** The plans of the statements that `work` sends, after running each of them. */
export async function explainQueries(read: () => Promise<unknown>): Promise<QueryPlan[]> {
  const statements = await captureStatements(read);
  const plans: QueryPlan[] = [];
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
export const planNodes = (plan: QueryPlan): QueryPlan[] => [plan, ...(plan.Plans ?? []).flatMap(planNodes)];
/** How many blocks were read, in memory or on disk; those of functions and subqueries included. */
export const countBlocksRead = (plans: QueryPlan[]) =>
  plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
