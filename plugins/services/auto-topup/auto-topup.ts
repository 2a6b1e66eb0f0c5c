/** What others see of automatic top-up: a user's settings and what comes of them. Payments themselves are those of `payments`. */
import type { Mandate } from '../payments/index.js'

export interface AutoTopup {
  read(payer: AutoTopupPayer): Promise<AutoTopupState>
  /** Rejects with a `Refusal` that names the field. */
  set(change: AutoTopupChange): Promise<AutoTopupState>
  /** Switches it off and forgets everything the user agreed to be charged by. */
  remove(payer: AutoTopupPayer): Promise<AutoTopupState>
  /** Charges for every wallet that is below its bound. Runs by itself; callable for tests. */
  run(): Promise<void>
}

export interface AutoTopupPayer {
  readonly userId: number
  readonly group: string
}

export interface AutoTopupSettings {
  readonly isOn: boolean
  /** The balance below which it is topped up, in quota. */
  readonly below: bigint
  /** Units of account: of one payment, and of all in a calendar month of UTC. */
  readonly amount: number
  readonly monthlyCap: number
}

export interface AutoTopupChange extends AutoTopupPayer, AutoTopupSettings {
  /** Absent: the one in use, else that of the newest mandate. */
  readonly gateway?: string
}

export interface AutoTopupState {
  /** Root offers it at all. */
  readonly offered: boolean
  readonly capMax: number
  /** Absent: the user has set nothing. */
  readonly settings?: AutoTopupSettings & { readonly gateway: string }
  readonly standing: Standing
  /** Units bought in the month that runs, what is undecided included. */
  readonly spent: number
  /** What the user agreed to, newest first. */
  readonly mandates: readonly Mandate[]
  /** Gateways by which a user can agree to it. */
  readonly gateways: readonly MandateGateway[]
}

export interface MandateGateway {
  readonly name: string
  readonly title: string
  readonly isTest: boolean
}

/** Whether it is topped up, and what stands against it. */
export interface Standing {
  /** `charging`: a payment is under way. `paused`: nothing is charged for now. */
  readonly state: 'on' | 'charging' | 'paused' | 'off'
  readonly reason?: Obstacle
  /** What the provider said, or what is wrong with the amount: a sentence. */
  readonly words?: string
  /** Until when it is paused, where that is known. */
  readonly until?: Date
}

export type Obstacle =
  | 'not_offered'
  | 'mandate_ended'
  | 'gateway_off'
  /** The gateway takes test payments and the mandate is for real ones, or the other way round. */
  | 'wrong_mode'
  /** The amount cannot be bought any more. */
  | 'wrong_amount'
  | 'cap_reached'
  /** The last payment was refused; three in a row switch it off. */
  | 'refused'

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'auto-topup': AutoTopup
  }
}
