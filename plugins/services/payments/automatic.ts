/** Payments that are taken while the payer is away, by a mandate they gave with an earlier payment. */
import type { Knex } from 'knex'

/** What a payer agreed to. What the provider calls it is known to the service `payments` alone. */
export interface Mandate {
  readonly id: number
  readonly gateway: string
  /** Of the gateway. */
  readonly title: string
  /** No real money moves by it. */
  readonly isTest: boolean
  /** Its provider has a page where the payer changes how it is paid. */
  readonly hasPortal: boolean
  readonly createdAt: Date
}

export interface ChargeRequest {
  readonly userId: number
  /** Of the payer. */
  readonly group: string
  readonly gateway: string
  /** Units of account. */
  readonly amount: number
  /** Within the transaction that makes the order, with its payer locked: whether it is to be made. */
  readonly admit: (order: NewCharge, trx: Knex.Transaction) => Promise<boolean>
}

/** An order that is about to be made. */
export interface NewCharge {
  readonly orderNo: string
  /** The one it will be charged by. */
  readonly mandateId: number
}

/** What automatic orders of a user came to since a moment, what is undecided included. */
export interface Taken {
  readonly units: number
  /** When the last one was made, whenever that was. */
  readonly lastAt?: Date
}
