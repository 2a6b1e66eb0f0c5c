/** What anyone may know of the gateway: `GET /api/status` and `/api/setup`. Fields this console does not know are left alone. */
import { request } from './request.js'

export interface SiteStatus {
  readonly setup: boolean
  readonly system_name: string
  readonly server_address: string
  readonly logo: string
  readonly footer_html: string
  readonly docs_link: string
  readonly top_up_link: string
  readonly quota_per_unit: number
  readonly quota_display_type: string
  readonly display_in_currency: boolean
  readonly custom_currency_symbol: string
  readonly custom_currency_exchange_rate: number
  readonly usd_exchange_rate: number
  readonly turnstile_check: boolean
  readonly turnstile_site_key: string
  readonly passkey_login: boolean
  /** Absent: on, as with older gateways. */
  readonly register_enabled?: boolean
  readonly password_register_enabled?: boolean
  readonly password_login_enabled?: boolean
  readonly email_verification: boolean
  readonly user_agreement_enabled: boolean
  readonly privacy_policy_enabled: boolean
  readonly [more: string]: unknown
}

export function readStatus(): Promise<SiteStatus> {
  return request('GET', '/api/status')
}

/** Which version runs, for those who are signed in. */
export async function readVersion(): Promise<string> {
  return (await request<{ version: string }>('GET', '/api/status/version')).version
}
