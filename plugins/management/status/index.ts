/** `GET /api/status`: what anyone may know. Desktop clients read the names, so they are the family's (family.md 2.9). */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Management } from '../../../kernel/contract/management.js'

/** Quota of one US dollar (money.md section 1). */
const quotaPerUnit = 500_000

/** Features of the family that this gateway does not offer; clients hide what is false. */
const absent: JsonObject = {
  email_verification: false,
  github_oauth: false,
  discord_oauth: false,
  linuxdo_oauth: false,
  telegram_oauth: false,
  wechat_login: false,
  oidc_enabled: false,
  passkey_login: false,
  turnstile_check: false,
  turnstile_site_key: '',
  enable_batch_update: false,
  enable_drawing: false,
  enable_task: false,
  mj_notify_enabled: false,
  demo_site_enabled: false,
  self_use_mode_enabled: false,
  default_collapse_sidebar: false,
  api_info_enabled: false,
  uptime_kuma_enabled: false,
  announcements_enabled: false,
  faq_enabled: false,
  checkin_enabled: false,
  user_agreement_enabled: false,
  privacy_policy_enabled: false,
}

export default function create({
  services,
  settings,
}: Kit<'system' | 'setup' | 'routing'>): Management {
  const { system, setup, routing } = services

  function read(): JsonObject {
    return {
      ...absent,
      version: system.version,
      start_time: Math.floor(system.startedAt / 1000),
      setup: setup.done(),
      system_name: settings.string('systemName'),
      server_address: settings.string('serverAddress'),
      logo: settings.string('logo'),
      footer_html: settings.string('footer'),
      top_up_link: settings.string('topUpLink'),
      docs_link: settings.string('docsLink'),
      quota_per_unit: quotaPerUnit,
      quota_display_type: settings.string('quotaDisplayType'),
      display_in_currency: settings.string('quotaDisplayType') !== 'TOKENS',
      custom_currency_symbol: settings.string('customCurrencySymbol'),
      custom_currency_exchange_rate: settings.number('customCurrencyRate'),
      price: settings.number('price'),
      usd_exchange_rate: settings.number('exchangeRate'),
      default_use_auto_group: routing.defaultsToAuto(),
      // Hourly sums are kept always (family.md 2.7).
      enable_data_export: true,
    }
  }

  return { routes: { read: { handle: read } } }
}
