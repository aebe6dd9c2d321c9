import { describe, expect, it } from 'vitest';
import { applyMutant, findMutants, isRunnable } from './catalog';

/** Returns what each mutant of a text makes of it, on one line, by kind. */
function mutate(text: string): string[] {
  return findMutants({ path: 'lib/a.ts', text }).map(
    ({ kind, original, replacement }) => `${kind}: ${original} → ${replacement}`,
  );
}

describe('the faults of TypeScript', () => {
  it.each([
    ['if (a) return 1;', ['guard: a → false']],
    ['if (a) { b = 1; }', ['branch: a → false', 'branch: a → true']],
    ['if (a) { b = 1; throw c; }', ['guard: a → false']],
    ['x = a ? 1 : 2;', ['branch: a → true', 'branch: a → false']],
    ['x = a && b;', ['condition: a && b → a', 'condition: a && b → b']],
    ['x = a <= Date.now();', []],
    ['x = a <= b;', ['comparison: <= → <']],
    ['x = y + 1;', ['bound: y + 1 → y']],
    ['await send(a);', ['call: await send(a); → ;']],
    ['await lockPlan(tx);', ['lock: await lockPlan(tx); → ;']],
    ['x = rows.filter(isDue);', ['condition: .filter(isDue) → ']],
    ['x = rows.some(isDue);', ['condition: some → every']],
    ['x = Math.min(a, b);', ['bound: min → max']],
    ['x = z.string().max(20);', ['bound: 20 → (20) + 1']],
    ['x = z.string().min(SHORTEST);', ['bound: SHORTEST → (SHORTEST) - 1']],
  ])('%s', (text, mutants) => {
    expect(mutate(text)).toEqual(mutants);
  });

  it('aren’t in what only tells, in types, or in imports', () => {
    expect(
      mutate(
        "import { a } from 'b';\nlog.info({ a: b && c }, 'done');\nrecordAuditEvent('a');\ntype A = B<1>;",
      ),
    ).toEqual([]);
  });
});

describe('the faults of queries', () => {
  it.each([
    [
      'x = and(eq(a, 1), isNull(b.token));',
      [
        'condition: eq(a, 1) → undefined',
        'comparison: isNull → mutatedDrizzle.isNotNull',
        'attempt: isNull(b.token) → undefined',
      ],
    ],
    ['x = lt(a, sql`now()`);', []],
    ['x = lt(a, b);', ['comparison: lt → mutatedDrizzle.lte']],
    [
      "x = q.where(c).for('update', { skipLocked: true });",
      ['condition: c → undefined', "lock: .for('update', { skipLocked: true }) → "],
    ],
    ['x = q.onConflictDoNothing();', ['lock: .onConflictDoNothing() → ']],
    ['x = q.orderBy(a).limit(BATCH);', ['order: .orderBy(a) → ', 'bound: BATCH → (BATCH) + 1']],
    ['x = q.set({ a, b: 1 });', ['write: a → ...{}', 'write: b: 1 → ...{}']],
  ])('%s', (text, mutants) => {
    expect(mutate(text).sort()).toEqual(mutants.sort());
  });

  it('keep a file that can run, on the same lines', () => {
    const text = 'const a = 1;\nconst x = lt(a, b);\n';
    const [mutant] = findMutants({ path: 'lib/a.ts', text });
    if (!mutant) throw new Error('There’s no mutant.');
    const mutated = applyMutant(mutant, text);
    expect(mutated.split('\n')[1]).toBe('const x = mutatedDrizzle.lte(a, b);');
    expect(mutated.split('\n')).toHaveLength(3);
    expect(isRunnable(mutant, text)).toBe(true);
    expect(isRunnable({ ...mutant, replacement: ')' }, text)).toBe(false);
  });
});

describe('the faults of SQL', () => {
  /** Values are written without braces here, as in `$n`. */
  const of = (sql: string) => {
    const text = `x = sql\`${sql.replaceAll(/\$(\w+)/g, '$${$1}')}\`;`;
    return mutate(text).map((fault) => fault.replaceAll(/\$\{(\w+)\}/g, '$$$1'));
  };

  it.each([
    ['select 1 where a = 1', ['condition: a = 1 → true']],
    ['select 1 where a = 1 and $own order by c', ['condition: a = 1 → true', 'condition: $own → true']],
    [
      'select 1 where (a = 1 or b = 2)',
      ['condition: (a = 1 or b = 2) → true', 'condition: a = 1 → false', 'condition: b = 2 → false'],
    ],
    ['delete from t where generation = $n', ['attempt: generation = $n → true']],
    ['$a > 30', ['comparison: > → >=']],
    ["$a > now() - interval '30 seconds'", []],
    ['$a is not null', ['comparison: is not null → is null']],
    [
      'select 1 for update of jobs skip locked',
      ['lock:  for update of jobs skip locked → ', 'lock:  skip locked → '],
    ],
    ['select pg_advisory_xact_lock(hashtext($key))', ['lock: pg_advisory_xact_lock → ']],
    ['insert into t values (1) on conflict do nothing', ['lock:  on conflict do nothing → ']],
    ['select 1 order by a desc limit $most', ['order:  desc →  asc', 'bound: $most → $most + 1']],
    ['a between 1 and 2', []],
    ["select 'a < b and c' -- d < e", []],
  ])('%s', (sql, mutants) => {
    expect(of(sql).sort()).toEqual(mutants.sort());
  });
});
