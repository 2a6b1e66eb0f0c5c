/**
 * What others see of subscriptions: plans, who has subscribed to one, and what may pay for a request. Quota of a subscription
 * stands on accounts of the ledger, one for each period; a request is paid by one of them or by the wallet, never by both (BILL-3).
 */
import type { Knex } from 'knex'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { User } from '../../../kernel/contract/line/people.js'
import type { HoldRequest } from '../ledger/index.js'
import type { PlanTerms } from './terms.js'

export interface Subscriptions {
  readonly plans: Plans
  /** What may pay for the requests of a user, from memory. Undefined: their wallet alone. */
  sources(user: Pick<User, 'id' | 'walletId'>): HoldRequest['sources']
  /** What a plan costs a user now. Rejects with a `Refusal` that names the field. */
  quote(request: QuoteRequest, trx?: Knex.Transaction): Promise<PlanQuote>
  /** Buys a plan from the wallet. Rejects with a `Refusal`. */
  buy(purchase: BalancePurchase): Promise<Subscription>
  /** Changes to a plan that costs no more than what is left of another is worth. Rejects with a `Refusal`. */
  exchange(exchange: PlanExchange): Promise<Subscription>
  /** Rejects with a `Refusal`: there is no such plan, it was tried before, or it cannot be. */
  try(trial: TrialRequest): Promise<Subscription>
  /** Without payment, by an admin. */
  grant(grant: PlanGrant): Promise<Subscription>
  /** The plan every newcomer begins with, where one is set. */
  welcome(userId: number, requestId: string, trx: Knex.Transaction): Promise<void>
  /**
   * What a paid order is for: opens a subscription, or resolves with the one it opened before. Undefined: the one it was to
   * change had been changed or ended for good by then, so that what was taken off its price is gone.
   */
  paid(order: PaidPlan, trx: Knex.Transaction): Promise<Subscription | undefined>
  /** Another duration of a subscription that repeats was paid. Undefined: nothing is known of this agreement. */
  renewed(renewal: PaidRenewal, trx: Knex.Transaction): Promise<Subscription | undefined>
  /** By what the provider calls it. It stays locked. */
  byAgreement(
    gateway: string,
    agreement: string,
    trx: Knex.Transaction,
  ): Promise<Subscription | undefined>
  /** It is not collected any more: the subscription lasts as long as it is paid. */
  agreementEnded(id: number, trx: Knex.Transaction): Promise<void>
  /** Agreements whose subscription has ended, or is not to go on, and that repeat at the providers of these gateways all the same. */
  agreementsToEnd(gateways: readonly string[]): Promise<readonly Agreement[]>
  /** Newest first. */
  list(query: SubscriptionQuery): Promise<SubscriptionPage>
  /** `userId`: whose it has to be. Rejects with a `Refusal`: there is none, or it is somebody else's. */
  get(id: number, userId?: number): Promise<Subscription>
  /** What stands in its place after every change of plan since. Undefined: nothing took its place. */
  heir(id: number, trx: Knex.Transaction): Promise<Subscription | undefined>
  /** What a user had of each plan so far, by plan. Plans they never had are not in it. */
  standing(userId: number): Promise<ReadonlyMap<number, Standing>>
  /** Newest first. */
  periods(id: number): Promise<readonly Period[]>
  /** What is left and when it comes again, of subscriptions that are active. */
  usage(ids: readonly number[]): Promise<ReadonlyMap<number, Usage>>
  /** Ends one now: what is left goes back. Undefined: there is none that is active. */
  end(id: number, reason: string, trx?: Knex.Transaction): Promise<Subscription | undefined>
  /** Whether it goes on at its end. Rejects with a `Refusal`: it cannot, or this user has no such subscription. */
  setRenewal(request: RenewalChange): Promise<Subscription>
  /** Grants the quota of the period anew, of one subscription or of all of a plan. */
  reset(request: ResetRequest): Promise<ResetResult>
  preference(userId: number): Promise<Preference>
  setPreference(userId: number, preference: Preference): Promise<void>
  /** Begins and closes periods and windows, renews, and ends what has run out. Runs by itself; callable for tests. */
  roll(): Promise<void>
}

export interface Plans {
  /** By sort order, then by id. */
  list(query?: { readonly isOn?: boolean }): Promise<readonly Plan[]>
  get(id: number, trx?: Knex.Transaction): Promise<Plan | undefined>
  create(plan: NewPlan): Promise<Plan>
  /** Subscriptions that exist keep their terms. Undefined: there is none. */
  change(id: number, changes: Partial<NewPlan>): Promise<Plan | undefined>
}

export interface NewPlan {
  readonly isOn: boolean
  readonly sortOrder: number
  readonly terms: PlanTerms
  /** Minor units by currency (ISO 4217, upper case); the first is shown. */
  readonly prices: Readonly<Record<string, bigint>>
  /** Absent: it is not sold for quota of the wallet. */
  readonly balancePrice?: bigint
  /** Products of gateways, by gateway. */
  readonly products: Readonly<Record<string, string>>
  /** 0: as often as they like. */
  readonly purchasesMax: number
  /** 0: it cannot be tried. */
  readonly trialDays: number
}

export interface Plan extends NewPlan {
  readonly id: number
  readonly createdAt: Date
}

export type SubscriptionState = 'active' | 'expired' | 'cancelled'
export type SubscriptionSource = 'order' | 'balance' | 'admin' | 'trial' | 'welcome'

export interface Subscription {
  readonly id: number
  readonly userId: number
  readonly planId: number
  /** Pinned when it began. */
  readonly terms: PlanTerms
  readonly state: SubscriptionState
  readonly source: SubscriptionSource
  readonly orderNo?: string
  /** What was paid for the duration that runs. */
  readonly paidMinor?: bigint
  readonly currency?: string
  readonly paidQuota?: bigint
  readonly startsAt: Date
  readonly termStartsAt: Date
  readonly endsAt: Date
  /** When it is over unless it is renewed: later than `endsAt` where a provider collects. */
  readonly graceEndsAt: Date
  /** Empty: it does not go on by itself. */
  readonly renewal: '' | 'balance' | 'gateway'
  /** What the wallet pays for each renewal. */
  readonly renewalQuota?: bigint
  readonly renewals: number
  readonly gateway?: string
  readonly agreement?: string
  readonly previousGroup?: string
  readonly reason: string
  readonly createdAt: Date
  readonly endedAt?: Date
}

export interface Usage {
  /** Absent: without bound. */
  readonly granted?: bigint
  readonly used: bigint
  readonly held: bigint
  readonly periodStartsAt: Date
  readonly periodEndsAt: Date
  readonly caps: readonly CapUsage[]
}

export interface Standing {
  /** By orders and from the wallet: what counts against `purchasesMax`. */
  readonly bought: number
  /** In whatever way: who had a plan cannot try it any more. */
  readonly had: number
}

export interface Period {
  readonly number: number
  /** Absent: without bound. */
  readonly granted?: bigint
  readonly used: bigint
  readonly startsAt: Date
  readonly endsAt: Date
  /** What was left was given back then. Absent: it runs, or requests of it are under way. */
  readonly closedAt?: Date
}

export interface CapUsage {
  readonly unit: string
  readonly count: number
  readonly quota: bigint
  readonly used: bigint
  readonly startsAt: Date
  readonly endsAt: Date
}

export interface QuoteRequest {
  readonly userId: number
  readonly planId: number
  /** The subscription it is to replace: what is left of its value is taken off the price. */
  readonly replaces?: number
  /** Absent: in quota of the wallet. */
  readonly currency?: string
  /** Orders of this plan that wait for their payment: they count as purchases. */
  readonly unpaid?: number
}

export interface PlanQuote {
  readonly plan: Plan
  /** Minor units, or quota where no currency was named; what is left of the replaced one is taken off already. */
  readonly price: bigint
  /** What was taken off. */
  readonly valueLeft: bigint
  /** What was agreed, to be kept with an order. */
  readonly pinned: JsonObject
}

export interface BalancePurchase {
  readonly userId: number
  readonly planId: number
  readonly replaces?: number
  /** It is bought again at its end. */
  readonly renews: boolean
  /** The same at every try of one purchase. */
  readonly key: string
  readonly requestId: string
}

export interface PlanExchange {
  readonly userId: number
  readonly planId: number
  readonly replaces: number
  readonly currency: string
  readonly requestId: string
}

export interface PlanGrant {
  readonly userId: number
  readonly planId: number
  readonly requestId: string
}

export type TrialRequest = PlanGrant

export interface PaidPlan {
  readonly orderNo: string
  readonly userId: number
  readonly planId: number
  /** Of the quote the order was made of. */
  readonly pinned: JsonObject
  readonly paidMinor: bigint
  readonly currency: string
  readonly gateway: string
  /** What repeats, as the provider calls it. */
  readonly agreement?: string
  readonly requestId: string
}

export interface PaidRenewal {
  readonly gateway: string
  readonly agreement: string
  readonly paidMinor: bigint
  readonly currency: string
  readonly requestId: string
}

export interface Agreement {
  readonly subscriptionId: number
  readonly gateway: string
  readonly agreement: string
}

export interface SubscriptionQuery {
  readonly userId?: number
  readonly planId?: number
  readonly state?: SubscriptionState
  readonly offset: number
  readonly limit: number
}

export interface SubscriptionPage {
  readonly items: readonly Subscription[]
  readonly total: number
}

export interface RenewalChange {
  readonly id: number
  readonly userId: number
  readonly renews: boolean
}

export interface ResetRequest {
  readonly subscriptionId?: number
  readonly planId?: number
  /** The next period is counted from now; absent: periods end when they would have. */
  readonly advances: boolean
  readonly requestId: string
}

export interface ResetResult {
  readonly matched: number
  readonly reset: number
  readonly users: number
}

/** What pays first, or alone. */
export type Preference = 'subscription_first' | 'wallet_first' | 'subscription_only' | 'wallet_only'

declare module '../../../kernel/contract/service.js' {
  interface Services {
    subscriptions: Subscriptions
  }
}
