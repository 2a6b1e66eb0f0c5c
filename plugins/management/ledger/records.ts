/** The ledger in the family's words: quota exact, however much it is, times in Unix seconds. */
import type {
  Entry,
  EntrySide,
  Inspected,
  InspectionState,
  OpenHold,
  Overview,
} from '../../services/ledger/index.js'

export function overviewRecord(
  overview: Overview,
  { running, last, failed, wholeAt }: InspectionState,
) {
  return {
    accounts: overview.accounts,
    balance: overview.posted - overview.held,
    posted: overview.posted,
    held: overview.held,
    debt: { accounts: overview.indebted, quota: overview.debt },
    open_holds: overview.openHolds,
    oldest_hold: overview.oldestHold ? holdRecord(overview.oldestHold) : null,
    system_accounts: overview.system.map(({ id, name, balance }) => ({
      id,
      name,
      quota: balance,
    })),
    blocked_accounts: overview.blocked,
    blocked: overview.blockedAccounts.map(({ accountId, userId, username }) => ({
      account_id: accountId,
      user_id: userId,
      username: username ?? '',
    })),
    check: {
      running,
      last: last ? checkRecord(last) : null,
      failure: failed ? { at: Math.floor(failed.at / 1000), reason: failed.reason } : null,
      whole_at: wholeAt === undefined ? 0 : Math.floor(wholeAt / 1000),
    },
  }
}

export function checkRecord({ startedAt, ms, scope, verified, invariants }: Inspected) {
  return {
    at: Math.floor(startedAt / 1000),
    ms,
    scope,
    verified,
    breaches: invariants.reduce((sum, { breaches }) => sum + breaches.length, 0),
    invariants: invariants.map(({ hasMore, ...report }) => ({ ...report, has_more: hasMore })),
  }
}

export function holdRecord(hold: OpenHold) {
  const { draft } = hold
  return {
    request_id: hold.requestId,
    kind: hold.kind,
    state: hold.isOrphan ? 'orphaned' : 'reserved',
    user_id: hold.userId,
    username: hold.username,
    token_id: hold.tokenId ?? 0,
    token_name: draft.tokenName ?? '',
    model: draft.model ?? '',
    group: draft.group ?? '',
    channel: draft.channelId ?? 0,
    held: hold.held,
    used: hold.used,
    instance: hold.instance,
    created_at: seconds(hold.createdAt),
    age_seconds: hold.ageSeconds,
  }
}

export function entryRecord(entry: Entry) {
  return {
    id: Number(entry.id),
    created_at: seconds(entry.createdAt),
    kind: entry.kind,
    amount: entry.amount,
    debit: sideRecord(entry.debit),
    credit: sideRecord(entry.credit),
    request_id: entry.requestId,
    note: entry.note,
  }
}

function sideRecord({ accountId, kind, userId, name }: EntrySide) {
  return { account_id: accountId, kind, user_id: userId, name }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
