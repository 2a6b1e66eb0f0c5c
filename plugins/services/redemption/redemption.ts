/** What others see of redemption codes: an admin makes them, and who has one redeems it for credit, once. */

export interface Redemption {
  /** Makes codes that are alike, in one transaction. */
  create(batch: NewBatch): Promise<readonly RedemptionCode[]>
  /** Newest first. */
  list(query: CodeQuery): Promise<CodePage>
  /** Undefined: there is none. */
  get(id: number): Promise<RedemptionCode | undefined>
  /** Undefined: there is none. Credit and uses of a code that exists do not change. */
  change(id: number, changes: CodeChanges): Promise<RedemptionCode | undefined>
  /** Returns how many were deleted. */
  remove(ids: readonly number[]): Promise<number>
  /** Deletes codes that are switched off, used up or expired. Returns how many. */
  removeInvalid(): Promise<number>
  /**
   * Credits the wallet of a user and returns the quota. Rejects with `redemption_code_invalid`, whatever the reason: it does not exist, is
   * off, used up or expired, or this user has redeemed it before.
   */
  redeem(request: RedeemRequest): Promise<bigint>
}

export interface NewBatch {
  readonly creatorId: number
  readonly name: string
  readonly quota: bigint
  readonly count: number
  readonly usesMax: number
  readonly expiresAt?: Date
}

/** `used`: as often as it may be. */
export type CodeState = 'on' | 'off' | 'used' | 'expired'

export interface RedemptionCode {
  readonly id: number
  readonly batch: string
  readonly creatorId: number
  /** 32 hexadecimal digits. */
  readonly code: string
  readonly name: string
  readonly quota: bigint
  readonly state: CodeState
  readonly usesMax: number
  readonly uses: number
  readonly createdAt: Date
  readonly expiresAt?: Date
  /** The last use. */
  readonly redeemedAt?: Date
  /** Who used it last. */
  readonly redeemedBy?: number
}

export interface CodeQuery {
  readonly state?: CodeState
  readonly batch?: string
  /** A part of the name, the whole id, or the whole code. */
  readonly search?: string
  readonly offset: number
  readonly limit: number
}

export interface CodePage {
  readonly items: readonly RedemptionCode[]
  /** Counted up to 10,000, and pages reach no further. */
  readonly total: number
}

export interface CodeChanges {
  readonly name?: string
  readonly isOn?: boolean
  /** Null: it never expires. */
  readonly expiresAt?: Date | null
}

export interface RedeemRequest {
  readonly userId: number
  readonly code: string
  readonly requestId: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    redemption: Redemption
  }
}
