/** Subscriptions over a real ledger and real users, at a time the test sets. */
import type { Test as TapTest } from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Hold, LogDraft } from '../../../../kernel/contract/line/money.js'
import type { Principal } from '../../../../kernel/contract/management.js'
import type { RequestId } from '../../../../kernel/contract/names.js'
import type { NewNotice, Notifications } from '../../../../plugins/services/notifications/index.js'
import type { Options } from '../../../../plugins/services/options/index.js'
import createSubscriptions, {
  type NewPlan,
  type PlanTerms,
} from '../../../../plugins/services/subscriptions/index.js'
import { managementFixture, settingsOf } from '../../management/management-fixture.js'

export const day = 86_400_000

const terms: PlanTerms = {
  ...{ title: 'Monthly', subtitle: '', duration: { unit: 'day', count: 30 } },
  ...{ quota: 1_000n, reset: { unit: 'day', count: 10 }, caps: [], models: [], groups: [] },
  ...{ overflow: true, upgradeGroup: '', downgradeGroup: '' },
}

export const draft: LogDraft = {
  ...{
    username: 'ada',
    tokenName: 'key',
    model: 'large',
    upstreamModel: 'large',
    group: 'default',
  },
  ...{ channelId: 1, channelName: 'one', isStream: true, address: '203.0.113.9' },
}

export async function subscriptionsFixture(t: Pick<TapTest, 'teardown'>) {
  const ground = await managementFixture(t)
  const { database, changes, identity, ledger, clock, log } = ground
  const notices: { readonly userId: number; readonly type: string; readonly key?: string }[] = []
  const notifications = {
    notify: async (userId: number, { type }: NewNotice, key?: string) =>
      void notices.push({ userId, type, key }),
    notifyRoot: async ({ type }: NewNotice, key?: string) =>
      void notices.push({ userId: 0, type, key }),
  } as unknown as Notifications
  const checks = new Map<string, (text: string) => void>()
  const options = {
    check: (key: string, rule: (text: string) => void) => void checks.set(key, rule),
  } as unknown as Options
  const jobs: (() => Promise<void> | void)[] = []
  const schedule = {
    every: () => ({ stop() {}, now: async () => {} }),
    everyLeased: (_: string, __: number, run: () => Promise<void> | void) => {
      jobs.push(run)
      return { stop() {}, now: async () => {} }
    },
  }
  const settings: Record<string, JsonObject[string]> = { timeZone: 'UTC', newUserPlan: 0 }
  const process = async () => {
    const made = createSubscriptions({
      services: { database, schedule, ledger, changes, identity, notifications, options },
      ...{ settings: settingsOf(settings), clock, log },
    })
    await made.start?.()
    return made
  }
  const subscriptions = await process()

  const plan = (over: Partial<PlanTerms> = {}, rest: Partial<NewPlan> = {}) =>
    subscriptions.plans.create({
      ...{ isOn: true, sortOrder: 0, terms: { ...terms, ...over }, prices: { USD: 3_000n } },
      ...{ balancePrice: 300n, products: {}, purchasesMax: 0, trialDays: 0, ...rest },
    })

  /** With a wallet of so much. */
  async function payer(name: string, quota = 0n): Promise<Principal> {
    const person = await ground.person(name)
    const { userId } = person
    const grant = { key: `test:${userId}`, kind: 'admin', userId, amount: quota } as const
    if (quota > 0n)
      await ledger.post({ ...grant, requestId: `test-${userId}`, note: 'of the test' })
    return person
  }

  const walletOf = async (userId: number) => (await ledger.wallets([userId])).get(userId)!
  const balance = async (userId: number) => (await walletOf(userId))?.posted ?? 0n

  let requests = 0
  /** A request of this user, as the line makes it. */
  async function hold(userId: number, at = subscriptions): Promise<Hold & { requestId: string }> {
    const { accountId: walletId } = await walletOf(userId)
    requests += 1
    const requestId = `request-${requests}` as RequestId
    const sources = at.sources({ id: userId, walletId })
    const made = ledger.hold({ requestId, kind: 'sync', userId, accountId: walletId, sources })
    return Object.assign(made, { requestId })
  }

  const closing = (quota: bigint) => ({
    ...{ quota, delivered: true, outcome: 'complete' as const, usage: {}, snapshot: {} },
    ...{ durationMs: 1, detail: {} },
  })

  /** What one request is paid by: a subscription's number, `wallet`, or why it is refused. */
  async function spend(userId: number, quota: bigint, over: Partial<LogDraft> = {}) {
    const made = await hold(userId)
    const verdict = await made.cover(quota, { ...draft, ...over })
    if (verdict !== 'ok') return verdict
    const paidBy = made.subscription?.id ?? 'wallet'
    await made.close(closing(quota))
    return paidBy
  }

  async function pass(ms: number) {
    clock.advance(ms)
    await subscriptions.roll()
    await changes.settled()
  }

  return {
    ...ground,
    ...{ subscriptions, process, notices, checks, settings },
    ...{ plan, payer, balance, hold, closing, spend, pass },
  }
}
