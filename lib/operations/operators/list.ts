import { formatBytes, formatDuration } from '@/lib/billing/plans/shared/format';
import { listAccounts, listOpenInvitations } from './service';

type Account = Awaited<ReturnType<typeof listAccounts>>[number];

/** Names are anyone's text, which mustn't control the terminal. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '');

const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? 'never';

function statusOf({ disabledAt, verified, erasesAt, erasureStartedAt }: Account): string {
  if (erasureStartedAt) return 'being deleted';
  if (disabledAt) return erasesAt ? 'turned off, deletion on hold' : 'turned off';
  const status = verified ? 'active' : 'not verified';
  return erasesAt ? `${status}, deletion on ${day(erasesAt)}` : status;
}

/** Returns rows as text in columns, which are as wide as their longest cell. */
function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function accountRow(account: Account): string[] {
  const { email, name, plan, grantedPlan, videos, bytes, seconds, lastSeenAt, twoFactor } = account;
  return [
    printable(email),
    printable(name),
    grantedPlan ? `${plan} (set by you)` : plan,
    `${videos} ${videos === 1 ? 'video' : 'videos'}, ${formatBytes(bytes)}, ${formatDuration(Math.round(seconds))}`,
    day(lastSeenAt),
    twoFactor ? 'on' : 'off',
    statusOf(account),
  ];
}

const COLUMNS = ['EMAIL', 'NAME', 'PLAN', 'USE', 'LAST SEEN', '2FA', 'STATUS'];

/** Returns every account and open invitation, as tables or as JSON. */
export async function describePeople({ json }: { json: boolean }): Promise<string> {
  const [accounts, invitations] = await Promise.all([listAccounts(), listOpenInvitations()]);
  if (json) {
    const withStatus = accounts.map((account) => ({ ...account, status: statusOf(account) }));
    return JSON.stringify({ accounts: withStatus, invitations }, null, 2);
  }
  const parts = [
    accounts.length > 0 ? table([COLUMNS, ...accounts.map(accountRow)]) : 'There are no accounts yet.',
  ];
  if (invitations.length > 0) {
    const rows = invitations.map(({ email, invitedAt, expiresAt }) => [
      printable(email),
      day(invitedAt),
      day(expiresAt),
    ]);
    parts.push(table([['INVITED', 'ON', 'UNTIL'], ...rows]));
  }
  return parts.join('\n\n');
}
