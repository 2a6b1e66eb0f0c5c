/** What the status shows of the options of others. A feature that is not here is off: clients hide what is false. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { StoredOptions } from './stored-options.js'

export function featureFacts({ flag, text }: StoredOptions): JsonObject {
  return {
    email_verification: flag('EmailVerificationEnabled'),
    password_reset_enabled: text('SMTPServer') !== '',
    register_enabled: flag('RegisterEnabled'),
    password_register_enabled: flag('PasswordRegisterEnabled'),
    password_login_enabled: flag('PasswordLoginEnabled'),
    enable_batch_update: false,
    enable_drawing: flag('DrawingEnabled'),
    enable_task: flag('TaskEnabled'),
    enable_data_export: flag('DataExportEnabled'),
    data_export_default_time: text('DataExportDefaultTime') || 'hour',
    mj_notify_enabled: flag('MjNotifyEnabled'),
    checkin_enabled: flag('checkin_setting.enabled'),
    demo_site_enabled: flag('DemoSiteEnabled'),
    self_use_mode_enabled: flag('SelfUseModeEnabled'),
    user_agreement_enabled: text('legal.user_agreement') !== '',
    privacy_policy_enabled: text('legal.privacy_policy') !== '',
  }
}

/** A list is sent only while it is to be shown. */
export function consoleFacts({ flag, list }: StoredOptions): JsonObject {
  const shows = (name: string) => flag(`console_setting.${name}_enabled`)
  const shown = ['api_info', 'announcements', 'faq'].filter(shows)
  return {
    api_info_enabled: shows('api_info'),
    announcements_enabled: shows('announcements'),
    faq_enabled: shows('faq'),
    uptime_kuma_enabled: shows('uptime_kuma'),
    ...Object.fromEntries(shown.map((name) => [name, list(`console_setting.${name}`)])),
  }
}

export function passkeyFacts({ flag, text }: StoredOptions): JsonObject {
  return {
    passkey_login: flag('passkey.enabled'),
    passkey_display_name: text('passkey.rp_display_name'),
    passkey_rp_id: text('passkey.rp_id'),
    passkey_origins: text('passkey.origins'),
    passkey_allow_insecure: flag('passkey.allow_insecure_origin'),
    passkey_user_verification: text('passkey.user_verification'),
    passkey_attachment: text('passkey.attachment_preference'),
  }
}
