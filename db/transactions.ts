import type postgres from 'postgres';
import { type AnswerTimeout, answeredInTime, startAnswerTimer } from './answer-timeout';
import { isDriverError, QueryError } from './errors';

/** Returned to postgres.js instead of a result, so that it neither commits nor rolls back. */
const never = new Promise<never>(() => {});

/**
 * Returns a `begin` for a pool that's safe against a lost connection, such as one that the server ends because its
 * transaction was idle for too long. postgres.js 3.4.9 then rejects the transaction, but its body may still be
 * running. Its next query and the rollback that follows would be written to a closed socket: an exception that no
 * caller can catch (its issue 1208). So after the rejection, queries fail and the body's outcome is dropped.
 * Savepoints aren't covered; nothing here uses them.
 *
 * @param timeout is for each of a transaction's statements, COMMIT and ROLLBACK included
 */
export function guardTransactions(
  sql: postgres.Sql,
  timeout: AnswerTimeout,
): (work: (tx: postgres.TransactionSql) => unknown) => Promise<unknown> {
  const begin = sql.begin.bind(sql) as (work: (tx: postgres.TransactionSql) => unknown) => Promise<unknown>;
  return async (work) => {
    let over = false;
    let stopTimer = () => {};
    const guard = (tx: postgres.TransactionSql): postgres.TransactionSql => {
      const { unsafe } = tx;
      return Object.assign(tx, {
        unsafe: (...values: Parameters<typeof unsafe>) => {
          if (!over) return answeredInTime(unsafe(...values), timeout);
          throw Object.assign(new Error('The database closed the connection.'), {
            code: 'CONNECTION_CLOSED',
          });
        },
      });
    };
    const body = async (tx: postgres.TransactionSql): Promise<unknown> => {
      try {
        const result = await work(guard(tx));
        return over ? never : result;
      } catch (error) {
        if (over) return never;
        throw error;
      } finally {
        if (!over) stopTimer = startAnswerTimer(timeout, fail);
      }
    };
    let fail = (_error: Error) => {};
    const silence = new Promise<never>((_, reject) => {
      fail = reject;
    });
    try {
      return await Promise.race([begin(body), silence]);
    } catch (error) {
      // BEGIN and COMMIT don't go through Drizzle, and deferred constraints fail at COMMIT.
      throw isDriverError(error) ? new QueryError(error) : error;
    } finally {
      over = true;
      stopTimer();
    }
  };
}
