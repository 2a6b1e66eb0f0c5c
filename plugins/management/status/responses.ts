/** What the area of the status returns. Clients of the family read the names. */
import joi from 'joi'
import { unixSeconds } from '../../../kernel/toolkit/management/index.js'

const flag = joi.boolean()
const text = joi.string().allow('')
const entries = joi.array().items(joi.object().unknown())

const looks = {
  system_name: text,
  server_address: text.description('The public address. Empty: none is set.'),
  logo: text,
  footer_html: text,
  top_up_link: text,
  docs_link: text,
  default_collapse_sidebar: flag,
  chats: joi.array().items(joi.object().unknown()),
  HeaderNavModules: text.description('JSON text.'),
  SidebarModulesAdmin: text.description('JSON text.'),
}

const currency = {
  quota_per_unit: joi.number().description('Quota units of one unit of account.'),
  quota_display_type: joi.string().example('USD'),
  display_in_currency: flag,
  custom_currency_symbol: text,
  custom_currency_exchange_rate: joi.number(),
  price: joi.number(),
  usd_exchange_rate: joi.number(),
  stripe_unit_price: joi.number(),
}

const features = {
  email_verification: flag,
  password_reset_enabled: flag.description(
    'Mail leaves, so that who lost a password can choose another.',
  ),
  register_enabled: flag,
  password_register_enabled: flag,
  password_login_enabled: flag,
  enable_batch_update: flag,
  enable_drawing: flag,
  enable_task: flag,
  enable_data_export: flag,
  data_export_default_time: joi.string(),
  mj_notify_enabled: flag,
  checkin_enabled: flag,
  demo_site_enabled: flag,
  self_use_mode_enabled: flag,
  user_agreement_enabled: flag,
  privacy_policy_enabled: flag,
}

/** A list is there only while it is to be shown. */
const lists = {
  api_info_enabled: flag,
  announcements_enabled: flag,
  faq_enabled: flag,
  uptime_kuma_enabled: flag,
  api_info: entries.optional(),
  announcements: entries.optional(),
  faq: entries.optional(),
}

const passkeys = {
  passkey_login: flag,
  passkey_display_name: text,
  passkey_rp_id: text,
  passkey_origins: text,
  passkey_allow_insecure: flag,
  passkey_user_verification: text,
  passkey_attachment: text,
}

const signIn = {
  github_oauth: flag,
  github_client_id: text,
  discord_oauth: flag,
  discord_client_id: text,
  linuxdo_oauth: flag,
  linuxdo_client_id: text,
  linuxdo_minimum_trust_level: joi.number(),
  telegram_oauth: flag,
  telegram_bot_name: text,
  wechat_login: flag,
  wechat_qrcode: text,
  oidc_enabled: flag,
  oidc_client_id: text,
  oidc_authorization_endpoint: text,
  custom_oauth_providers: joi
    .array()
    .items(joi.object({ slug: joi.string(), name: joi.string(), icon: text }).unknown())
    .optional()
    .description('Beside those above; absent: none.'),
}

export const status = joi
  .object({
    version: text.valid('').description('Empty: what runs here is for those who are signed in.'),
    start_time: unixSeconds,
    setup: flag.description('The first account is made.'),
    default_use_auto_group: flag,
    turnstile_check: flag.description('Forms need a bot challenge.'),
    turnstile_site_key: text,
    ...looks,
    ...currency,
    ...features,
    ...lists,
    ...passkeys,
    ...signIn,
  })
  .id('Status')

export const databaseState = joi.object({
  database: joi.string().valid('ok'),
  database_ms: joi.number().integer().min(0).description('Milliseconds the database took.'),
})

export const httpStats = {
  http_stats: joi
    .object()
    .pattern(/^[1-5]xx$/, joi.number().integer().min(0))
    .description('Responses so far by the class of their status.'),
}

export const version = joi.object({ version: joi.string() })
