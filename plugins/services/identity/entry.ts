/** One API key as memory holds it, and the checks of each use: state, expiry, address. */
import { BlockList, isIP } from 'node:net'
import type {
  BudgetPeriod,
  RecordingTerms,
  RoutingPolicy,
  TokenLimits,
} from '../../../kernel/contract/line/people.js'
import { Refusal, type RefusalCode } from '../../../kernel/toolkit/errors/index.js'
import type { Identified } from './identity.js'

export interface Entry {
  /** Hex SHA-256 of the key. */
  readonly hash: string
  readonly identified: Identified
  /** Why the key is refused for as long as its rows stand as they are. */
  readonly refusal?: RefusalCode
  /** Unix milliseconds; infinite: never. */
  readonly expiresAt: number
  /** Addresses the key may be used from; absent: any. */
  readonly allowed?: BlockList
}

/** What the key query answers. */
export interface KeyRow {
  readonly hash: string
  readonly token_id: number
  readonly token_name: string
  readonly token_status: number
  readonly token_group: string
  readonly cross_group_retry: boolean
  readonly routing: RoutingPolicy | null
  readonly model_limits_enabled: boolean
  readonly model_limits: readonly string[]
  readonly allow_ips: readonly string[]
  readonly expires_at: Date | null
  readonly budget_quota: bigint | null
  readonly budget_period: BudgetPeriod | null
  readonly rpm_limit: number
  readonly tpm_limit: number
  readonly record_level: RecordingTerms['level'] | null
  readonly record_until: Date | null
  readonly user_id: number
  readonly username: string
  readonly role: number
  readonly user_status: number
  readonly user_group: string
  readonly user_deleted: boolean
  readonly wallet_id: number
}

/** Throws a `Refusal` unless the key may be used now from this address. */
export function admit(entry: Entry, address: string, now: number): Identified {
  if (entry.refusal !== undefined) throw new Refusal(entry.refusal)
  if (entry.expiresAt <= now) throw new Refusal('token_expired')
  if (entry.allowed !== undefined && !contains(entry.allowed, address)) {
    throw new Refusal('access_denied')
  }
  return entry.identified
}

export function entryOf(row: KeyRow): Entry {
  return {
    hash: row.hash,
    identified: {
      user: {
        id: row.user_id,
        username: row.username,
        role: row.role,
        group: row.user_group,
        walletId: row.wallet_id,
      },
      token: {
        id: row.token_id,
        name: row.token_name,
        group: row.token_group,
        crossGroupRetry: row.cross_group_retry,
        routing: row.routing ?? undefined,
        models: row.model_limits_enabled ? new Set(row.model_limits) : undefined,
        limits: limitsOf(row),
        recording: recordingOf(row),
      },
      pinned: undefined,
    },
    refusal: refusalOf(row),
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    allowed: row.allow_ips.length === 0 ? undefined : allowList(row.allow_ips),
  }
}

function limitsOf(row: KeyRow): TokenLimits | undefined {
  const { rpm_limit: rpm, tpm_limit: tpm, budget_quota: quota, budget_period: period } = row
  const budget = quota === null || period === null ? undefined : { quota, period }
  return rpm === 0 && tpm === 0 && budget === undefined ? undefined : { rpm, tpm, budget }
}

function recordingOf({ record_level: level, record_until: until }: KeyRow) {
  return level === null || until === null ? undefined : { level, until: until.getTime() }
}

function refusalOf(row: KeyRow): RefusalCode | undefined {
  if (row.user_deleted) return 'token_owner_deleted'
  if (row.token_status === 3) return 'token_expired'
  if (row.token_status === 2) return 'token_disabled'
  return row.user_status === 1 ? undefined : 'user_disabled'
}

/** A line that is no address or range allows nobody. */
function allowList(lines: readonly string[]): BlockList {
  const list = new BlockList()
  for (const line of lines) {
    const [address = '', bits] = line.split('/')
    const family = familyOf(address)
    if (family === undefined) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function contains(list: BlockList, address: string): boolean {
  const plain = address.split('%', 1)[0] ?? ''
  const family = familyOf(plain)
  return family !== undefined && list.check(plain, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}
