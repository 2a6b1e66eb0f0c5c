/** What joining, mail codes and resets take. */
import joi from 'joi'
import {
  mailField,
  newPassword,
  userName,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'

export interface RegisterForm {
  readonly username: string
  readonly password: string
  readonly email?: string
  readonly verification_code?: string
  readonly aff_code?: string
}

export interface MailRequest {
  readonly email: string
}

export interface ResetForm {
  readonly email: string
  readonly token: string
  /** Absent: one is drawn. */
  readonly password?: string
}

export interface BindForm {
  readonly email: string
  readonly verification_code: string
}

const code = joi.string().trim().max(64)
/** Checked by the challenge, which takes it from here for older callers. */
const turnstile = joi.string().allow('').max(2048)

export const challenged = joi.object({ turnstile }).prefs({ stripUnknown: true })

export const mailRequest = joi
  .object({ email: mailField.required(), turnstile })
  .prefs({ stripUnknown: true })

export const registerForm = joi
  .object({
    // No @: a name that looks like an address would pass for whoever has that.
    username: userName.pattern(/^[^@]*$/, '1 to 32 letters, digits or . _ + -').required(),
    password: newPassword.required(),
    email: mailField,
    verification_code: code.empty(''),
    aff_code: joi.string().trim().max(64).pattern(visible, visibleOnly).empty(''),
  })
  .prefs({ stripUnknown: true })
  .required()

export const resetForm = joi
  .object({
    email: mailField.required(),
    token: code.required(),
    password: newPassword.empty(''),
  })
  .prefs({ stripUnknown: true })
  .required()

export const bindForm = joi
  .object({ email: mailField.required(), verification_code: code.required() })
  .rename('code', 'verification_code', { ignoreUndefined: true, override: true })
  .prefs({ stripUnknown: true })
  .required()
