/** What people read. It names no secret, and says what to do where it was not them. */
import type { NewNotice } from '../notifications/index.js'
import type { AccountEvent, EventKind } from './events.js'

const texts: Readonly<Record<EventKind, readonly [title: string, content: string]>> = {
  password_changed: ['Your password was changed', 'The password of your account was changed'],
  password_login_changed: [
    'Signing in by password was switched',
    'Signing in by password was switched on or off for your account',
  ],
  email_changed: ['Your mail address was changed', 'The mail address of your account was changed'],
  factor_added: ['An authenticator app was added', 'An authenticator app guards your account now'],
  factor_removed: [
    'Your authenticator app was removed',
    'The authenticator app was removed from your account',
  ],
  recovery_codes_made: ['New recovery codes were made', 'New recovery codes replace those before'],
  recovery_code_used: ['A recovery code was used', 'A recovery code of your account was used up'],
  passkey_added: ['A passkey was added', 'A passkey that opens your account was added'],
  passkey_removed: ['A passkey was removed', 'A passkey was removed from your account'],
  access_token_made: [
    'An access token was made',
    'An access token for scripts was made for your account',
  ],
  api_key_made: ['An API key was made', 'An API key that spends from your account was made'],
  sessions_ended: [
    'Your sessions were ended',
    'An administrator ended all sessions of your account',
  ],
  new_sign_in: [
    'Somebody signed in from a new place',
    'Your account was signed in to from a browser or network it was not used from before',
  ],
}

export function noticeOf({ kind, at }: AccountEvent<EventKind>): NewNotice {
  const [title, content] = texts[kind]
  return {
    type: kind,
    title,
    content: `${content}, from the address {{value}}. If this was not you, change your password, end the other sessions and look through your keys, or turn to the operator.`,
    values: [at],
  }
}
