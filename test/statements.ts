import { db } from '@/db/client';

interface Statement {
  text: string;
  parameters: unknown[];
}

/** The SQL statements that `work` sends to the database. */
export async function captureStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const { options } = db().$client;
  const statements: Statement[] = [];
  const before = options.debug;
  options.debug = (_connection, text, parameters) => statements.push({ text, parameters });
  try {
    await work();
  } finally {
    options.debug = before;
  }
  return statements;
}

/** Sends the statements through the driver alone, as prepared ones, and waits for the rows of the last. */
export async function replayStatements(statements: Statement[]): Promise<void> {
  for (const { text, parameters } of statements) {
    await db().$client.unsafe(text, parameters as string[], { prepare: true });
  }
}
