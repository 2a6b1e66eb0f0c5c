/** What people read, in English and Chinese. It names no secret, and explains what to do where it was not them. */
import type { NoticeLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { NewNotice } from '../notifications/index.js'
import type { AccountEvent, EventKind } from './events.js'

type Texts = Readonly<Record<EventKind, readonly [title: string, content: string]>>

const en: Texts = {
  password_changed: ['Your password was changed', 'The password of your account was changed'],
  password_login_changed: [
    'Password sign-in was changed',
    'Signing in with a password was switched on or off for your account',
  ],
  email_changed: [
    'Your e-mail address was changed',
    'The e-mail address of your account was changed',
  ],
  factor_added: [
    'An authenticator app was added',
    'An authenticator app was added to your account and is asked for at sign-in',
  ],
  factor_removed: [
    'Your authenticator app was removed',
    'The authenticator app was removed from your account',
  ],
  recovery_codes_made: [
    'New recovery codes were created',
    'New recovery codes were created for your account and replace the previous ones',
  ],
  recovery_code_used: [
    'A recovery code was used',
    'One of the recovery codes of your account was used and is no longer valid',
  ],
  passkey_added: ['A passkey was added', 'A passkey that can sign in to your account was added'],
  passkey_removed: ['A passkey was removed', 'A passkey was removed from your account'],
  access_token_made: [
    'An access token was created',
    'An access token for scripts was created for your account',
  ],
  api_key_made: [
    'An API key was created',
    'An API key that spends the balance of your account was created',
  ],
  sessions_ended: [
    'You were signed out everywhere',
    'An administrator ended all sessions of your account',
  ],
  new_sign_in: [
    'New sign-in to your account',
    'Someone signed in to your account from a browser or network that it was not used from before',
  ],
}

const zh: Texts = {
  password_changed: ['您的密码已更改', '您账户的密码已更改'],
  password_login_changed: ['密码登录设置已更改', '您账户的密码登录已开启或关闭'],
  email_changed: ['您的邮箱地址已更改', '您账户的邮箱地址已更改'],
  factor_added: ['已添加身份验证器', '您的账户现由身份验证器保护'],
  factor_removed: ['身份验证器已移除', '您账户的身份验证器已移除'],
  recovery_codes_made: ['已生成新的恢复码', '新的恢复码已取代之前的恢复码'],
  recovery_code_used: ['恢复码已被使用', '您账户的一个恢复码已被使用'],
  passkey_added: ['已添加通行密钥', '已添加一个可登录您账户的通行密钥'],
  passkey_removed: ['通行密钥已移除', '您账户的一个通行密钥已移除'],
  access_token_made: ['已创建访问令牌', '已为您的账户创建供脚本使用的访问令牌'],
  api_key_made: ['已创建 API 密钥', '已创建一个从您账户扣费的 API 密钥'],
  sessions_ended: ['您的会话已被结束', '管理员已结束您账户的所有会话'],
  new_sign_in: ['有人从新的位置登录', '有人从未曾使用过的浏览器或网络登录了您的账户'],
}

export function noticeOf(
  { kind, at }: AccountEvent<EventKind>,
  language: NoticeLanguage,
): NewNotice {
  const [title, content] = (language === 'zh' ? zh : en)[kind]
  const closing = closings[language]
  return { type: kind, title, content: `${content}${closing}`, values: [at] }
}

const closings: Readonly<Record<NoticeLanguage, string>> = {
  en: ', from the address {{value}}. If this was not you, change your password, end your other sessions and check your API keys, or contact the operator.',
  zh: '，来源地址为 {{value}}。如果这不是您本人的操作，请更改密码、结束其他会话并检查您的密钥，或联系运营方。',
}
