/**
 * Attacks a copy of Daylight on this machine, in a process of its own: `attack-process.ts <plan as JSON>`. Prints "attacking"
 * when it begins, and at the end how many answers it got, by status, as JSON.
 */
import { type AttackPlan, runAttack } from './attacks';

const attack = runAttack(JSON.parse(process.argv[2] ?? '') as AttackPlan);
console.log('attacking');
console.log(JSON.stringify(await attack));
process.exit();
