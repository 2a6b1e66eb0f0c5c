/** Automatic top-up: when the caller's balance is topped up by itself, and what stands against it. */
import { request } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type AutoTopup = Schemas['AutoTopUp']
export type Mandate = Schemas['PaymentMandate']

export interface AutoTopupSettings {
  readonly enabled: boolean
  /** The balance below which it is topped up, in quota units. */
  readonly below: number
  /** Units of account: of one payment, and of all in a month. */
  readonly amount: number
  readonly monthly_cap: number
  readonly gateway: string
}

export function readAutoTopup(): Promise<AutoTopup> {
  return request('GET', '/api/user/topup/auto')
}

export function setAutoTopup(settings: AutoTopupSettings): Promise<AutoTopup> {
  return request('PUT', '/api/user/topup/auto', { body: settings })
}

/** Switches it off and forgets everything the caller agreed to be charged by. */
export function removeAutoTopup(): Promise<AutoTopup> {
  return request('DELETE', '/api/user/topup/auto')
}

/** The address of the provider's page where the caller changes how automatic payments are paid. */
export async function openMandatePortal(gateway: string): Promise<string> {
  const { url } = await request<{ readonly url: string }>('POST', '/api/user/topup/auto/portal', {
    body: { gateway },
  })
  return url
}
